// Every limit of the contract, with unit and reason. Deployment choices are not limits: they live in configuration.
// Product, point 9, is the source unless a line says otherwise.

// — text —

/** UTF-16 units, so that a history page stays small. Above it the composer refuses and keeps the text. */
export const TEXT_MAX_CHARS = 8_000;
export const CHANNEL_NAME_MAX_CHARS = 80;
/** Ids are UUIDv7 (36) or the authentication library's (32); the rest is slack for foreign issuers. */
export const ID_MAX_CHARS = 64;
/** `draft.set` keeps what the composer can hold, and a draft may be over the limit of a message. */
export const DRAFT_MAX_CHARS = 16_000;

// — messages —

/** A message with 20 different emoji is full; another kind is refused with `too_many`. */
export const REACTION_KINDS_MAX = 20;
/** Names kept per emoji of a message. */
export const REACTION_NAMES_MAX = 500;
/** All reactions of a message together: its text, an answer to it and a pin find room beside them ([RV8]). */
export const REACTIONS_MAX_BYTES = 20 * 1024;
/** People named in one message; a longer list is refused with `too_many`. */
export const MENTIONS_MAX = 50;
/** Faces shown on a root beside its reply count. */
export const REPLY_PEOPLE_MAX = 5;
/** Earlier texts of an edited message, kept apart from it; the oldest is dropped. */
export const VERSIONS_KEPT = 20;
/** A device clock further ahead of the room is clamped to the room's time. */
export const WRITTEN_AHEAD_MAX_MS = 5 * 60_000;
/** A written-at time is shown beside the delivered one when they differ by more. */
export const WRITTEN_SHOWN_AFTER_MS = 5 * 60_000;

// — rooms —

/** One op stamps at most so many entities ([RV8]). */
export const STAMPS_MAX = 100;
/** One entity, as JSON ([RV8]): below the 128 KB that a value of the smaller host may have. */
export const ENTITY_MAX_BYTES = 48 * 1024;
/** People in one `channel.members`; more go in several ops. */
export const MEMBERS_PER_OP_MAX = 50;
export const CHANNELS_MAX = 5_000;
export const MEMBERS_MAX = 10_000;
export const CONNECTIONS_MAX = 10_000;
/** Devices kept per user and room; the least recent is forgotten and starts anew ([OP4]). */
export const DEVICES_MAX = 32;
/** Answers remembered per device ([OP3]); equal to the window, so every unanswered op is covered. */
export const RING_SIZE = 64;
/** Ids of ops remembered of a person's forgotten devices ([OP3]): all that the last sixteen may send again. */
export const LEGACY_MAX = 16 * RING_SIZE;
/** Of the drafts that a person sent in a channel so many are known again when another device sends one ([OP18]). */
export const DRAFTS_REMEMBERED_MAX = 32;

// — frames and pages —

/** A frame from a client; above it the socket is closed with 4413. */
export const CLIENT_FRAME_MAX_BYTES = 64 * 1024;
/** The body of a service call: the whole list of members of the largest channel fits. */
export const SERVICE_BODY_MAX_BYTES = 2 * 1024 * 1024;
/** A page of changes or a snapshot, as JSON ([SY2]). */
export const PAGE_MAX_BYTES = 256 * 1024;
/** The least that a client on a slow line may hold a page to; one rev or message may still be larger. */
export const PAGE_MIN_BYTES = 4 * 1024;
export const CHANGES_PAGE_MAX = 200;
export const HISTORY_PAGE_MAX = 100;
/** Behind every message that there will be: a page before it is the newest. */
export const PAST_ANY_PLACE = 1_000_000_000_000;
export const NEWEST_DEFAULT = 100;
export const NEWEST_MAX = 200;
/** Behind by more revs than this a channel room answers with a snapshot ([SY4]). */
export const FAR_BEHIND_REVS = 5_000;
/** Heads in one `welcome` or answer to `pull`. */
export const HEADS_PAGE_MAX = 500;
/** Unanswered numbered ops of one room and device, and ops in one HTTP batch. */
export const OPS_IN_FLIGHT_MAX = 64;
/** Rooms in one authorisation request. */
export const AUTH_ROOMS_MAX = 20;
/** The third thing on a socket that isn't a frame closes it with 4422. */
export const NOT_FRAMES_MAX = 3;

// — times —

export const HELLO_WITHIN_MS = 10_000;
export const HEARTBEAT_EVERY_MS = 25_000;
/** Without an answer for so long a link is given up for dead: a second below the 10 s within which one is to be told. */
export const HEARTBEAT_ANSWER_MS = 9_000;
export const BACKOFF_MIN_MS = 500;
export const BACKOFF_MAX_MS = 30_000;
export const AUTH_TIMEOUT_MS = 10_000;
export const TOKEN_LIFETIME_S = 3_600;
export const TOKEN_LIFETIME_MIN_S = 60;
/** Clock difference allowed between issuer and room. */
export const TOKEN_LEEWAY_S = 30;
/** A token longer than this is refused unread (claims hold at most 20 rooms and 1 KB of info). */
export const TOKEN_MAX_CHARS = 8 * 1024;
/** The claim `info`, as JSON. */
export const TOKEN_INFO_MAX_BYTES = 1_024;
/** A token is renewed at a random point between these shares of its life ([AU9]). */
export const TOKEN_RENEW_FROM = 0.8;
export const TOKEN_RENEW_TO = 0.95;
export const SERVICE_TOKEN_S = 60;
/** A room that doesn't answer another is tried again later. */
export const SERVICE_CALL_TIMEOUT_MS = 10_000;
export const PRESENCE_AWAY_MS = 10 * 60_000;
/** More signals of one connection are dropped silently. */
export const SIGNAL_EVERY_MS = 2_000;
/** Changes within it leave as one frame under load; a quiet room sends at once ([SY7]). */
export const COALESCE_MS = 20;
/** A connection left behind by revs it can't see gets an empty `changes` within this ([SY1]). */
export const STRAGGLER_MS = 5_000;
/** Losing a right closes open connections within this (product, point 6). */
export const KICK_WITHIN_MS = 5_000;
/** Read positions leave at most so often while a channel is open ([OP17]). */
export const READ_EVERY_MS = 15_000;
/** Synced drafts leave at most so often. */
export const DRAFT_EVERY_MS = 5_000;
/** Heads that aren't posts may reach the workspace room so late ([SV2]). */
export const BUMP_LAZY_MS = 30_000;
/** Posts of a busy channel share one bump for this long ([SV2]). */
export const BUMP_COMBINE_MS = 1_000;
/** A bump names the latest so many posts; further back it moves nobody's read position, for it can't tell who stood where. */
export const BUMP_POSTS_MAX = OPS_IN_FLIGHT_MAX;

// — rates —

/** Ops per second, user and room, with `OPS_BURST` ([OP15]). */
export const OPS_PER_SECOND = 20;
export const OPS_BURST = 128;
/** Final refusals a minute that are stored; more are held ([OP15]). */
export const REFUSALS_PER_MINUTE = 60;
/** After `internal` so often for one op the client skips its number ([OP6]). */
export const INTERNAL_TRIES = 5;

// — invitations —

export const INVITATION_DAYS = 7;
export const INVITATION_USES = 100;

// — people at once —

/** Messages of one author within this group under one heading (design). */
export const GROUP_WITHIN_MS = 5 * 60_000;

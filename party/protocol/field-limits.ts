// What the fields of forms take: names, addresses, passwords. Apart from the other limits (limits.ts), which the composer
// needs, and these not. Product, point 9, is the source unless a line says otherwise.

export const TOPIC_MAX_CHARS = 250;
export const PURPOSE_MAX_CHARS = 1_000;
export const WORKSPACE_NAME_MAX_CHARS = 60;
export const SLUG_MIN_CHARS = 3;
export const SLUG_MAX_CHARS = 32;
export const PERSON_NAME_MAX_CHARS = 60;
export const TITLE_MAX_CHARS = 80;
export const STATUS_TEXT_MAX_CHARS = 100;
/** RFC 5321, 4.5.3.1.3, less the angle brackets. */
export const EMAIL_MAX_CHARS = 254;
export const PASSWORD_MIN_CHARS = 10;
export const PASSWORD_MAX_CHARS = 128;
export const EMOJI_MAX_CHARS = 64;
export const INVITATION_DAYS_MAX = 365;
export const INVITATION_USES_MAX = 10_000;

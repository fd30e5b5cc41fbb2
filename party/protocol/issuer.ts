// Who signs tokens here.

/** The `iss` of our own endpoint, whose `sub` is the user id ([AU13]). */
export const OWN_ISSUER = "causeway";

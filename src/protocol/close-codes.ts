/**
 * Closes a socket whose session is not valid or is over. 4000 and above are codes of an application (RFC 6455 §7.4.2).
 */
export const CLOSE_SESSION_OVER = 4401;

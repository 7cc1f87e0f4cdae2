/** The session that a socket was opened with is not taken, or is over. 4000 and above are an application's own (RFC 6455 §7.4.2). */
export const CLOSE_SESSION_OVER = 4401;

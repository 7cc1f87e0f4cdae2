/**
 * The heartbeat of the product's sockets, `/ws/online/{u_id}` and `/ws/events`. A browser does not show a page the
 * pings of a server, so the server also sends this text. A page that receives nothing for {@link SILENCE_MS} opens the
 * socket anew.
 */
export const HEARTBEAT = '{"type":"heartbeat"}';

/** The interval of heartbeats, milliseconds. */
export const HEARTBEAT_MS = 8_000;

/**
 * The silence after which a page treats its socket as dead, milliseconds: two heartbeats and some delay. Below 20 s.
 */
export const SILENCE_MS = 18_000;

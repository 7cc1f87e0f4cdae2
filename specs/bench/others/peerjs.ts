/** Everything of peerjs, for its weight. */
export * from 'peerjs';

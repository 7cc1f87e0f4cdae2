/** All exports of peerjs, for its weight. */
export * from 'peerjs';

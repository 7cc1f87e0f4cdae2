/** All exports of livekit-client, for its weight. */
export * from 'livekit-client';

/**
 * Every time and limit of the protocol. Each has its unit in its name or comment, and its source. docs/spec/README.md
 * says where each § and each id is defined.
 */

/** The library's version (§1). */
export const LIBRARY_VERSION = '1.10.20';

/** The version of the message format, which every frame carries. */
export const PROTOCOL_VERSION = 1 as const;

export const TIMES = {
  /** The time after which a request without a reply fails with `ERR_NO_RESPONSE_DUE_TO_TIMEOUT` (§9). */
  requestTimeoutMs: 60_000,
  /** The default ring limit of both sides (§9). */
  ringingTimeoutMs: 60_000,
  /** The default limit from accept to connected (§9). */
  connectionTimeoutMs: 60_000,
  /** The interval of the alive command of a direct call (§9). */
  aliveIntervalMs: 30_000,
  /** The silence after which a leg is lost for the exchange: two missed alives and a margin (D13). */
  aliveSilenceMs: 65_000,
  /** The wait before an established call sends a state of its media that the other side knows (DC-27, ADR 0034). */
  mediaStateWaitMs: 1_000,
  /** The time from `reconnecting` to connection-lost (§9). */
  reconnectGraceMs: 30_000,
  /** The wait before the first resend of an offer or answer (§9). */
  descriptionRetryInitialMs: 2_500,
  /** The growth of the wait at each further resend (§9). */
  descriptionRetryStepMs: 1_000,
  /** The time from the connect of a prepared second peer connection to its takeover (§9). */
  peerConnectionSwapMs: 2_000,
  /** The wait before the first retry of the realtime channel (§9). */
  channelRetryMs: 2_000,
  /** The backoff after the first retry (§9, D07). */
  channelBackoffMs: [5_000, 10_000, 20_000, 30_000],
  /** The largest random share of a backoff that a client in a call adds (D07). */
  channelBackoffNoise: 0.2,
  /** The random wait that a client without a call adds, at most this or the backoff if that is longer (ADR 0024). */
  channelSpreadMs: 10_000,
  /** The silence of its channel after which a client sends a heartbeat (ADR 0024). */
  heartbeatMs: 10_000,
  /** The silence after a command after which a client sends the heartbeat (ADR 0024). */
  heartbeatProbeMs: 3_000,
  /** The silence after a heartbeat after which a channel is dead (ADR 0024). */
  heartbeatReplyMs: 7_000,
  /** The generic retry schedule of requests (§9). */
  genericRetryMs: [1_000, 2_000, 3_000],
  /** The wait before the catch-up is retried: the interval of the second retry strategy (§9, ADR 0017). */
  catchUpRetryMs: 2_000,
  /** The largest random addition to that interval (§9, ADR 0017). */
  catchUpRetryNoiseMs: 1_000,
  /** The interval of statistics samples (§9). */
  statsPollMs: 1_000,
  /** The interval of dispatched connection quality in mode frequency (§9). */
  qualityDispatchMs: 3_000,
  /** The interval of uploads of log lines. The lines of a call are also uploaded when it ends. */
  logUploadMs: 30_000,
  /** The interval at which the picture of a missing camera is drawn (§9). */
  blackPictureMs: 1_000,
  /** The life of a short-lived token (S11). */
  shortLivedTokenMs: 60_000,
  /** The life of a relay credential (S23). */
  relayCredentialMs: 3_600_000,
} as const;

export const LIMITS = {
  /** The most sends of one offer or answer, the first included (§9). */
  descriptionSends: 12,
  /** The retries of one request of the catch-up (§9, ADR 0017). */
  catchUpRetries: 10,
  /** The largest websocket message, bytes (D25). */
  frameBytes: 64 * 1024,
  /** The largest compressed sdp, characters of base64 (D25). */
  compressedSdpChars: 32 * 1024,
  /** The largest sdp once inflated, bytes (D25). */
  sdpBytes: 256 * 1024,
  /** The largest body of an HTTP request, bytes (D25). */
  httpBodyBytes: 1024 * 1024,
  /** The most candidates that are kept for one leg of a call (B44). */
  candidatesPerLeg: 100,
  /** Characters of a name that an engine or a protocol gives: a message type, a capability, a kind of connection. */
  nameChars: 64,
  /** Characters of an identifier that a client makes: of a request, a peer connection, a recording. */
  idChars: 128,
  /** The capabilities of one client. */
  capabilities: 32,
  /** Characters of a user's nickname and of other texts that a message shows. */
  textChars: 1_024,
  /** Entries of a user's metadata. */
  metadataEntries: 64,
  /** Characters of the address of a user's picture, and of a relay credential's user name or password. */
  longTextChars: 4_096,
  /** Characters of a relay's address. */
  relayUrlChars: 512,
  /** The scores of one summary: one each three seconds, the default interval, for a day and a third. */
  summaryScores: 40_000,
  /** Custom items of one call (D24). */
  customItems: 10,
  /** Characters of a custom item's key or value (D24). */
  customItemChars: 128,
  /** Calls on a page of the history: default and bounds (§9). */
  historyPage: { default: 20, min: 10, max: 100 },
  /** Characters of a push token. */
  pushTokenChars: 4_096,
  /** Characters of an address: a webhook's, a chat channel's. */
  urlChars: 2_048,
  /** The bounds of the webhook in a dial: its events, its headers, and the characters of each text. */
  webhook: { events: 16, headers: 16, nameChars: 128, valueChars: 1_024 },
  /** Characters of a user id. */
  userIdChars: 128,
  /** The longest name of a recording, bytes: the limit of common file systems (B25). */
  fileNameBytes: 255,
  /** The statistics updates before an audio quality counts (§9). */
  statsUpdatesBeforeQuality: 15,
  /** Statistics interval, seconds: default and bounds (§9). */
  statsIntervalSeconds: { default: 3, min: 1, max: 60 },
  /** The log entries in the buffer (§9). */
  logEntries: 500,
  /** The characters of a log entry. A full buffer fits into the body of a request. */
  logMessageChars: 1_000,
  /** The scale of a mean opinion score (§9). */
  mos: { min: 1, max: 4.5 },
  /** The video frames a second (§9). */
  videoFrameRate: 24,
} as const;

/** The times of rooms. The library loads rooms on first use, so these are not in {@link TIMES}. */
export const ROOM_TIMES = {
  /** The interval of the keep-alive of a room, and the limit of its reply (§9). */
  roomAliveIntervalMs: 5_000,
  roomAliveReplyMs: 5_000,
  /** The silence after which a participant is lost for the exchange: eight missed keep-alives and a margin (I17). */
  roomSilenceMs: 43_000,
  /** The wait before the first retry of an attach, and its growth at each further one (§9). */
  attachRetryInitialMs: 5_000,
  attachRetryStepMs: 1_000,
  /** The wait before an endpoint connects again, and the largest random addition (§4). */
  endpointReconnectMs: 5_000,
  endpointReconnectNoiseMs: 1_000,
  /** The time in which an endpoint must connect, else the exchange releases it: the limit of an endpoint request (§9). */
  endpointConnectMs: 60_000,
  /** The time after which a picture that no view shows is not received any more (ADR 0027). */
  unseenPictureMs: 1_000,
  /** The time after which the exchange cancels an invitation without an answer. */
  invitationMs: 300_000,
} as const;

/** The limits of rooms. */
export const ROOM_LIMITS = {
  /** The consecutive keep-alives without a reply that end a participation (§9). */
  roomAliveFailures: 8,
  /** The most sends of one attach, the first included (§9). */
  attachSends: 8,
  /** Rooms on a page of a list: default and bounds (§9). */
  roomPage: { default: 10, min: 1, max: 100 },
  /** The room ids, or user ids, of one query of rooms. */
  roomQueryIds: 100,
  /** The most participants of a room, by its type (D26). A server can set others. */
  roomSizes: {
    small_room_for_audio_only: 6,
    large_room_for_audio_only: 100,
    small_room_for_video: 6,
    large_room_for_video: 100,
  },
  /**
   * The size of the sent picture, pixels, by the number of connected remote participants: the first without, or with
   * one, the second with two, and so on (§3, §9).
   */
  pictureSizes: [
    { width: 1280, height: 720 },
    { width: 960, height: 540 },
    { width: 848, height: 480 },
    { width: 640, height: 360 },
  ],
  /** The most open rooms that one user created. */
  roomsPerUser: 100,
} as const;

/**
 * The bands of mean opinion scores (§3). A score below a bound is in its band. A score above all bounds is excellent.
 */
export const QUALITY_BANDS = [
  { below: 2, quality: 'poor' },
  { below: 3, quality: 'fair' },
  { below: 3.6, quality: 'average' },
  { below: 4.2, quality: 'good' },
] as const;

/**
 * Every time and limit of the protocol, in one place. The unit is in the name or behind it, the source beside it:
 * docs/spec/README.md says where each § and each id is defined.
 */

/** The library's version (§1). */
export const LIBRARY_VERSION = '1.10.20';

/** The version of the message format carried by every frame. */
export const PROTOCOL_VERSION = 1;

export const TIMES = {
  /** A request without a reply fails with 1800203 after this (§9). */
  requestTimeoutMs: 60_000,
  /** Ring limit, both sides, unless set otherwise (§9). */
  ringingTimeoutMs: 60_000,
  /** From accept to connected, unless set otherwise (§9). */
  connectionTimeoutMs: 60_000,
  /** Direct-call alive (§9). */
  aliveIntervalMs: 30_000,
  /** A leg silent for this long is gone for the exchange: two missed alives and a grace (D13). */
  aliveSilenceMs: 65_000,
  /** From `reconnecting` to connection-lost (§9). */
  reconnectGraceMs: 30_000,
  /** First resend of an offer or answer (§9). */
  descriptionRetryInitialMs: 2_500,
  /** Each further wait for a resend is longer by this (§9). */
  descriptionRetryStepMs: 1_000,
  /** A prepared second peer connection takes over this long after it connects (§9). */
  peerConnectionSwapMs: 2_000,
  /** First retry of the realtime channel (§9). */
  channelRetryMs: 2_000,
  /** The backoff that follows the first retry (§9, D07). */
  channelBackoffMs: [5_000, 10_000, 20_000, 30_000],
  /** A client in a call adds up to this share of a backoff at random (D07). */
  channelBackoffNoise: 0.2,
  /** A client without a call adds a random part of this, or of the backoff where that is longer (ADR 0024). */
  channelSpreadMs: 10_000,
  /** A client that has heard nothing on its channel for this long sends a heartbeat (ADR 0024). */
  heartbeatMs: 10_000,
  /** A client that hears nothing after a command sends the heartbeat this long after the command (ADR 0024). */
  heartbeatProbeMs: 3_000,
  /** A channel on which nothing comes for this long after a heartbeat is dead (ADR 0024). */
  heartbeatReplyMs: 7_000,
  /** The generic retry schedule of requests (§9). */
  genericRetryMs: [1_000, 2_000, 3_000],
  /** What was missed is asked for again after this: the interval of the second retry strategy (§9, ADR 0017). */
  catchUpRetryMs: 2_000,
  /** Up to this is added to that interval at random (§9, ADR 0017). */
  catchUpRetryNoiseMs: 1_000,
  /** Statistics are sampled this often (§9). */
  statsPollMs: 1_000,
  /** Connection quality is dispatched this often in mode frequency (§9). */
  qualityDispatchMs: 3_000,
  /** Lines of the log that wait are uploaded after this, those of a call when it ends. */
  logUploadMs: 30_000,
  /** The picture of a missing camera is drawn this often (§9). */
  blackPictureMs: 1_000,
  /** A short-lived token is good for this long (S11). */
  shortLivedTokenMs: 60_000,
  /** A relay credential is good for this long (S23). */
  relayCredentialMs: 3_600_000,
} as const;

export const LIMITS = {
  /** Sends of one offer or answer, the first included (§9). */
  descriptionSends: 12,
  /** Retries of one question of the catch-up (§9, ADR 0017). */
  catchUpRetries: 10,
  /** The largest websocket message, bytes (D25). */
  frameBytes: 64 * 1024,
  /** The largest compressed sdp, characters of base64 (D25). */
  compressedSdpChars: 32 * 1024,
  /** The largest sdp once inflated, bytes (D25). */
  sdpBytes: 256 * 1024,
  /** The largest body of an HTTP request, bytes (D25). */
  httpBodyBytes: 1024 * 1024,
  /** Candidates kept for one leg of a call (B44). */
  candidatesPerLeg: 100,
  /** Characters of a name that an engine or a protocol gives: a message type, a capability, a kind of connection. */
  nameChars: 64,
  /** Characters of an identifier that a client makes: of a request, a peer connection, a recording. */
  idChars: 128,
  /** Capabilities of one client. */
  capabilities: 32,
  /** Characters of a user's nickname and of other texts that a message shows. */
  textChars: 1_024,
  /** Entries of a user's metadata. */
  metadataEntries: 64,
  /** Characters of the address of a user's picture, and of a relay credential's user name or password. */
  longTextChars: 4_096,
  /** Characters of a relay's address. */
  relayUrlChars: 512,
  /** Scores of one summary: one each three seconds, the default interval, for a day and a third. */
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
  /** What a dial may say of its webhook: how many events and headers, and how long each text is. */
  webhook: { events: 16, headers: 16, nameChars: 128, valueChars: 1_024 },
  /** Characters of a user id. */
  userIdChars: 128,
  /** The longest name of a recording, bytes: what common file systems take (B25). */
  fileNameBytes: 255,
  /** Statistics updates awaited before an audio quality counts (§9). */
  statsUpdatesBeforeQuality: 15,
  /** Statistics interval, seconds: default and bounds (§9). */
  statsIntervalSeconds: { default: 3, min: 1, max: 60 },
  /** Log entries buffered (§9). */
  logEntries: 500,
  /** Characters of one of them: a full buffer fits into the body of a request. */
  logMessageChars: 1_000,
  /** The scale of a mean opinion score (§9). */
  mos: { min: 1, max: 4.5 },
  /** Video frames a second (§9). */
  videoFrameRate: 24,
} as const;

/** Mean opinion score bands (§3): a score below the bound falls in the band; none below means excellent. */
export const QUALITY_BANDS = [
  { below: 2, quality: 'poor' },
  { below: 3, quality: 'fair' },
  { below: 3.6, quality: 'average' },
  { below: 4.2, quality: 'good' },
] as const;

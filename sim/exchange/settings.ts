/** What can be set about an exchange, and what holds where nothing is set. */
import { LIMITS, TIMES } from '../../src/protocol/limits.ts';

/** So many at once, and so many more each second. */
export interface Budget {
  readonly burst: number;
  readonly perSecond: number;
}

/** A relay (TURN) the exchange hands out credentials for. */
export interface RelaySettings {
  readonly urls: readonly string[];
  /** Shared with the relay: passwords are made from it. */
  readonly secret: string;
  /** Whether media must take the relay. Default `all`: it may. */
  readonly policy?: 'relay' | 'all';
}

export interface ExchangeSettings {
  /** The application id that logins must name. */
  readonly appId: string;
  readonly relay: RelaySettings | null;
  /** How often clients are asked to sample statistics, seconds. */
  readonly statsIntervalSeconds: number;
  /** A session ends after this. */
  readonly sessionMs: number;
  readonly shortLivedTokenMs: number;
  readonly relayCredentialMs: number;
  /**
   * The exchange's own ends of waiting, for callers whose timers never come. Longer than the clients' defaults, since a
   * host may set longer ones (SET-01, SET-02).
   */
  readonly ringTimeoutMs: number;
  readonly setupTimeoutMs: number;
  /** A leg not heard of for this long is gone (D13). */
  readonly aliveSilenceMs: number;
  /** What is known of an ended call is kept this long: late commands, missed signals, summaries. */
  readonly endedCallMs: number;
  /** Ended calls kept at most, and their records. */
  readonly endedCalls: number;
  /** Calls that go on and are kept at most; further ones end with the exchange. */
  readonly liveCalls: number;
  /** A call of an exchange that has not come back for so long is put into the history as it was last seen. */
  readonly abandonedMs: number;
  /** Signals kept for one leg. */
  readonly signalsPerLeg: number;
  readonly candidatesPerLeg: number;
  /** Answers kept for requests sent again, a device. */
  readonly answersPerDevice: number;
  /** Statistics that calls sent, kept at most. */
  readonly statsLogs: number;
  /** Lines of clients' logs kept at most. */
  readonly debugLogs: number;
  /** Devices of one user on the realtime channel at once (S14). */
  readonly devicesPerUser: number;
  /** Messages of one socket (S14). */
  readonly messages: Budget;
  /** Calls dialled by one user (S14). */
  readonly dials: Budget;
  /** Logins of one user (S14). */
  readonly logins: Budget;
}

/** The settings where nothing is said. The budgets are generous: they stop floods, not people or test suites. */
export const DEFAULT_SETTINGS: ExchangeSettings = {
  appId: 'ringback-demo',
  relay: null,
  statsIntervalSeconds: LIMITS.statsIntervalSeconds.default,
  sessionMs: 24 * 3_600_000,
  shortLivedTokenMs: TIMES.shortLivedTokenMs,
  relayCredentialMs: TIMES.relayCredentialMs,
  ringTimeoutMs: 5 * 60_000,
  setupTimeoutMs: 5 * 60_000,
  aliveSilenceMs: TIMES.aliveSilenceMs,
  endedCallMs: 10 * 60_000,
  endedCalls: 2_000,
  liveCalls: 10_000,
  abandonedMs: 10 * 60_000,
  signalsPerLeg: 500,
  candidatesPerLeg: LIMITS.candidatesPerLeg,
  answersPerDevice: 1_000,
  statsLogs: 2_000,
  debugLogs: 5_000,
  devicesPerUser: 16,
  messages: { burst: 400, perSecond: 100 },
  dials: { burst: 60, perSecond: 4 },
  logins: { burst: 120, perSecond: 4 },
};

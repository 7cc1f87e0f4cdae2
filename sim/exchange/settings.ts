/** What can be set about an exchange, and what holds where nothing is set. */
import { CALLING_SHARED_BUDGETS, DIAL_BUDGET, ROUTE_BUDGETS, SIGNALS } from '../budgets/calling-budgets.ts';
import type { RateLimit } from '../budgets/input-budget.ts';
import { LIMITS, TIMES } from '../../src/protocol/limits.ts';

/** So many at once, and so many more each second. */
export interface Budget {
  readonly burst: number;
  readonly perSecond: number;
}

/** The budget of a row's limit: its points at once, and as many again spread evenly over its window. */
export const budgetOf = ({ points, seconds }: RateLimit): Budget => ({ burst: points, perSecond: points / seconds });

const { command, callingChannel } = CALLING_SHARED_BUDGETS;
const { callingLogin, statsLogs, debugLogs } = ROUTE_BUDGETS;

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
  /** A session that its client does not use for this long ends. */
  readonly sessionMs: number;
  readonly shortLivedTokenMs: number;
  readonly relayCredentialMs: number;
  /**
   * The exchange's own ends of waiting, for callers whose timers never come. Longer than the clients' defaults, since a
   * host may set longer ones (SET-01, SET-02).
   */
  readonly ringTimeoutMs: number;
  readonly setupTimeoutMs: number;
  /**
   * An accepted call whose offer and answer were passed on is taken to have media after this, though neither side says so.
   * Longer than any client waits for media by default (§9).
   */
  readonly presumedMediaMs: number;
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
  /** Signals kept for one leg, and their characters. The newest one is kept in any case. */
  readonly signalsPerLeg: number;
  readonly signalCharsPerLeg: number;
  /** Characters of the signals kept for one leg of a call that ended. */
  readonly endedSignalChars: number;
  /** Characters of one answer to the question for missed signals: below what the library reads (LIMITS.httpBodyBytes). */
  readonly missedSignalChars: number;
  readonly candidatesPerLeg: number;
  /** Answers kept for requests sent again: of a device, and their characters, of a device and of all together. */
  readonly answersPerDevice: number;
  readonly answerCharsPerDevice: number;
  readonly answerChars: number;
  /** Statistics that calls sent, kept at most. */
  readonly statsLogs: number;
  /** Lines of clients' logs kept at most. */
  readonly debugLogs: number;
  /** Devices of one user on the realtime channel at once (S14). */
  readonly devicesPerUser: number;
  /** Sessions of one user: a further one ends the oldest (S14). */
  readonly sessionsPerUser: number;
  /** Calls of one caller that go on at once (S14). */
  readonly callsPerCaller: number;
  /** Multiplies the points of the limits of requests by HTTP. */
  readonly requestFactor: number;
  /** Commands of one device, by socket and by HTTP, and of all devices of a user (S14). */
  readonly messages: Budget;
  readonly accountMessages: Budget;
  /** Characters of the commands of one device: what one side may lay on the channel of the other (S14, S16). */
  readonly sent: Budget;
  /** Calls dialled by one user (S14). */
  readonly dials: Budget;
  /** Logins of one user that succeed (S14). */
  readonly logins: Budget;
  /** Logins of one user that fail, of one address. */
  readonly loginFailures: Budget;
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
  presumedMediaMs: TIMES.connectionTimeoutMs + 15_000,
  aliveSilenceMs: TIMES.aliveSilenceMs,
  endedCallMs: 10 * 60_000,
  endedCalls: 2_000,
  liveCalls: 10_000,
  abandonedMs: 10 * 60_000,
  signalsPerLeg: SIGNALS.most,
  signalCharsPerLeg: 256 * 1024,
  endedSignalChars: 16 * 1024,
  missedSignalChars: 768 * 1024,
  candidatesPerLeg: LIMITS.candidatesPerLeg,
  answersPerDevice: command.keeps[0].most,
  answerCharsPerDevice: 256 * 1024,
  answerChars: 32 * 1024 * 1024,
  statsLogs: statsLogs.keeps[0].most,
  debugLogs: debugLogs.keeps[0].most,
  devicesPerUser: callingChannel.keeps[0].most,
  sessionsPerUser: callingLogin.keeps[0].most,
  callsPerCaller: DIAL_BUDGET.keeps[0].most,
  requestFactor: 1,
  messages: budgetOf(command.limits[0]),
  accountMessages: budgetOf(command.limits[1]),
  sent: budgetOf(command.limits[2]),
  dials: budgetOf(DIAL_BUDGET.limits[0]),
  logins: budgetOf(callingLogin.limits[1]),
  loginFailures: budgetOf(callingLogin.limits[2]),
};

/** The settings of an exchange, and their defaults. */
import {
  CALLING_SHARED_BUDGETS,
  DIAL_BUDGET,
  INVITATION_BUDGET,
  ROUTE_BUDGETS,
  SIGNALS,
} from '../budgets/calling-budgets.ts';
import type { RateLimit } from '../budgets/input-budget.ts';
import { LIMITS, ROOM_LIMITS, ROOM_TIMES, TIMES } from '../../src/protocol/limits.ts';
import type { RoomType } from '../../src/protocol/room-entities.ts';

/** The most points at once, and the points that refill each second. */
export interface Budget {
  readonly burst: number;
  readonly perSecond: number;
}

/** Returns the budget of a row's limit: its points at once, and as many again spread evenly over its window. */
export const budgetOf = ({ points, seconds }: RateLimit): Budget => ({ burst: points, perSecond: points / seconds });

const { command, callingChannel } = CALLING_SHARED_BUDGETS;
const { callingLogin, statsLogs, debugLogs } = ROUTE_BUDGETS;

/** A relay (TURN) for which the exchange makes credentials. */
export interface RelaySettings {
  readonly urls: readonly string[];
  /** The secret that the exchange shares with the relay. It makes the passwords. */
  readonly secret: string;
  /** `relay`: media must take the relay. Default: `all`. */
  readonly policy?: 'relay' | 'all';
}

export interface ExchangeSettings {
  /** The application id that logins must name. */
  readonly appId: string;
  readonly relay: RelaySettings | null;
  /** The interval at which clients sample statistics, seconds. */
  readonly statsIntervalSeconds: number;
  /** The life of a session after its last use, milliseconds. */
  readonly sessionMs: number;
  readonly shortLivedTokenMs: number;
  readonly relayCredentialMs: number;
  /**
   * The limits of the exchange for callers whose own timers fail, milliseconds. They are longer than the clients'
   * defaults, since a host may set longer ones (SET-01, SET-02).
   */
  readonly ringTimeoutMs: number;
  readonly setupTimeoutMs: number;
  /**
   * The time after which the exchange presumes media of an accepted call with a relayed offer and answer, milliseconds.
   * It is longer than any client waits for media by default (§9).
   */
  readonly presumedMediaMs: number;
  /** The silence after which a leg is lost, milliseconds (D13). */
  readonly aliveSilenceMs: number;
  /** The time for which an ended call is kept for late commands, missed signals and summaries, milliseconds. */
  readonly endedCallMs: number;
  /** The most ended calls that are kept, and their records. */
  readonly endedCalls: number;
  /** The most live calls that are stored. Further ones end with the exchange. */
  readonly liveCalls: number;
  /** The time after which a call of a stopped exchange moves into the history as it was last seen, milliseconds. */
  readonly abandonedMs: number;
  /** The most signals kept for one leg, and their characters. The newest one is always kept. */
  readonly signalsPerLeg: number;
  readonly signalCharsPerLeg: number;
  /** The most characters of the signals kept for one leg of an ended call. */
  readonly endedSignalChars: number;
  /** The most characters of one answer with missed signals: below what the library reads (LIMITS.httpBodyBytes). */
  readonly missedSignalChars: number;
  readonly candidatesPerLeg: number;
  /**
   * The most answers kept for repeated requests: of a device, and their characters, of a device and of all together.
   */
  readonly answersPerDevice: number;
  readonly answerCharsPerDevice: number;
  readonly answerChars: number;
  /** The time for which an answer is kept at least. The library repeats a request for two minutes at most. Milliseconds. */
  readonly answerMs: number;
  /** The most characters of all answers to commands about rooms. */
  readonly roomAnswerChars: number;
  /** The most statistics of calls that are kept. */
  readonly statsLogs: number;
  /** The most lines of clients' logs that are kept. */
  readonly debugLogs: number;
  /** The most devices of one user on the realtime channel (S14). */
  readonly devicesPerUser: number;
  /** The most sessions of one user. A further one ends the oldest (S14). */
  readonly sessionsPerUser: number;
  /** The most live calls of one caller (S14). */
  readonly callsPerCaller: number;
  /** The factor for the points of the limits of HTTP requests. */
  readonly requestFactor: number;
  /** The most participants of a room, by its type (D26). */
  readonly roomSizes: Readonly<Record<RoomType, number>>;
  /** The most open rooms that one user created. */
  readonly roomsPerUser: number;
  /** The silence after which a participant is lost, milliseconds (I17). */
  readonly roomSilenceMs: number;
  /** The time after which an invitation without an answer is canceled, milliseconds. */
  readonly invitationMs: number;
  /** The most invitations of one user that wait for an answer. */
  readonly invitationsPerUser: number;
  /** The most of them for one other user, into different rooms. A further one cancels the oldest. */
  readonly invitationsPerPair: number;
  /** The most pending invitations for which a device rings when it connects: the newest ones. */
  readonly invitationsRung: number;
  /** The time in which an endpoint must connect, milliseconds. */
  readonly endpointConnectMs: number;
  /** The commands of one device, by socket and by HTTP, and of all devices of a user (S14). */
  readonly messages: Budget;
  readonly accountMessages: Budget;
  /** The characters of the commands of one device, which bound the load on the other side's channel (S14, S16). */
  readonly sent: Budget;
  /** The calls dialled by one user (S14). */
  readonly dials: Budget;
  /** The invitations into rooms of one user (S14). */
  readonly invitations: Budget;
  /** The logins of one user that succeed (S14). */
  readonly logins: Budget;
  /** The logins of one user at one address that fail. */
  readonly loginFailures: Budget;
}

/** The default settings. The budgets are generous: they stop floods, not users or test suites. */
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
  answerCharsPerDevice: 512 * 1024,
  answerChars: 128 * 1024 * 1024,
  answerMs: 5 * 60_000,
  roomAnswerChars: 64 * 1024 * 1024,
  statsLogs: statsLogs.keeps[0].most,
  debugLogs: debugLogs.keeps[0].most,
  devicesPerUser: callingChannel.keeps[0].most,
  sessionsPerUser: callingLogin.keeps[0].most,
  callsPerCaller: DIAL_BUDGET.keeps[0].most,
  requestFactor: 1,
  roomSizes: ROOM_LIMITS.roomSizes,
  roomsPerUser: ROOM_LIMITS.roomsPerUser,
  roomSilenceMs: ROOM_TIMES.roomSilenceMs,
  invitationMs: ROOM_TIMES.invitationMs,
  invitationsPerUser: INVITATION_BUDGET.keeps[0].most,
  invitationsPerPair: INVITATION_BUDGET.keeps[1].most,
  invitationsRung: 100,
  endpointConnectMs: ROOM_TIMES.endpointConnectMs,
  messages: budgetOf(command.limits[0]),
  accountMessages: budgetOf(command.limits[1]),
  sent: budgetOf(command.limits[2]),
  dials: budgetOf(DIAL_BUDGET.limits[0]),
  invitations: budgetOf(INVITATION_BUDGET.limits[0]),
  logins: budgetOf(callingLogin.limits[1]),
  loginFailures: budgetOf(callingLogin.limits[2]),
};

import type { LogLevel } from '../../protocol/enumerations.ts';
import { invalidValue } from '../../protocol/errors.ts';
import { LIMITS, TIMES } from '../../protocol/limits.ts';
import { Connection } from '../connection/connection.ts';
import { callSignals } from '../direct-call/call-signals.ts';
import { DirectCalls } from '../direct-call/direct-calls.ts';
import { LoggerLevel } from '../host/public-enumerations.ts';
import { Log } from '../logging/log.ts';
import { LogUpload } from '../logging/log-upload.ts';
import { MediaDevices } from '../media/media-devices.ts';
import { CallSounds } from '../media/sounds.ts';
import type { Platform } from '../platform/platform.ts';
import type { SignalConsumer } from '../realtime/dispatcher.ts';
import { debugLogs } from '../rest/requests.ts';
import { deviceFunctions, type DeviceFunctions } from './device-functions.ts';
import { directCallFunctions, type DirectCallFunctions } from './direct-call-functions.ts';
import type { LazyParts } from './lazy-parts.ts';
import { listenerFunctions, type ListenerFunctions } from './listener-functions.ts';
import { Listeners } from './listeners.ts';
import { pushTokenFunctions, type PushTokenFunctions } from './push-token-functions.ts';
import { RecordingListeners } from './recording-listeners.ts';
import { clientRooms, type RoomFunctions } from './room-functions.ts';
import { clientSession, type DefaultHosts, type Session, type SessionFunctions } from './session.ts';
import { soundFunctions, type SoundFunctions } from './sound-functions.ts';

export interface ClientOptions extends DefaultHosts {
  /** The parts that are loaded on their first use. */
  readonly parts: LazyParts;
  /** The first level of the console log. `setLoggerLevel` changes it. Default: NONE. */
  readonly consoleLevel?: LogLevel;
}

/**
 * A calling client over one platform (§5, §7). The functions of the package are the functions of one such client in the
 * browser. A host may pass every function around unbound.
 */
export interface Client
  extends
    SessionFunctions,
    ListenerFunctions,
    DirectCallFunctions,
    PushTokenFunctions,
    DeviceFunctions,
    SoundFunctions,
    RoomFunctions {
  /**
   * Sets the lowest level that the library prints to the console: INFO, WARNING, ERROR or NONE (§3). Default: NONE.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) for `level`.
   */
  setLoggerLevel(level: LoggerLevel): void;
}

/** Creates a client of its parts. Each group of functions is that of one part. */
export function createClient(platform: Platform, options: ClientOptions): Client {
  const { log, settings, listeners, recordings, devices, sounds, calls, rooms, session } = clientParts(
    platform,
    options,
  );
  return Object.assign(
    session,
    listenerFunctions(listeners, recordings),
    directCallFunctions({ calls, settings, session, log }),
    pushTokenFunctions(session),
    deviceFunctions(devices, platform, log),
    soundFunctions(sounds),
    rooms.functions,
    {
      setLoggerLevel: (level: LoggerLevel) => {
        if (!Object.hasOwn(LoggerLevel, level)) throw invalidValue('level');
        log.setConsoleLevel(level);
      },
    },
  );
}

/** Creates the parts of a client. They share the devices, the sounds, the log and the session. */
function clientParts(platform: Platform, options: ClientOptions) {
  const log: Log = new Log(platform, options.parts.logText, () => logUpload.lineKept());
  log.setConsoleLevel(options.consoleLevel ?? 'NONE');
  const logUpload = new LogUpload({
    clock: platform.clock,
    log,
    send: async (body) => debugLogs(session.initialised().rest, body),
  });
  const settings = {
    ringingTimeoutMs: TIMES.ringingTimeoutMs as number,
    connectionTimeoutMs: TIMES.connectionTimeoutMs as number,
    statsIntervalSeconds: LIMITS.statsIntervalSeconds.default as number,
  };
  const listeners = new Listeners(log);
  const recordings = new RecordingListeners(log);
  const devices = new MediaDevices({
    devices: platform.devices,
    page: platform.page,
    log,
    changed: (kind, current, available) => listeners.devicesChanged(kind, current, available),
  });
  const sounds = new CallSounds(platform.sounds);
  const calls = new DirectCalls({
    platform,
    log,
    devices,
    sounds,
    settings,
    recordings,
    ringing: (call) => listeners.ringing(call),
    over: () => logUpload.flush(),
  });
  const rooms = clientRooms({
    platform,
    log,
    devices,
    part: options.parts.rooms,
    authenticated: () => session.authenticated(),
    invited: (invitation) => listeners.invited(invitation),
  });
  const session: Session = clientSession({
    environment: platform.environment,
    hosts: options,
    log,
    connect: (application) =>
      new Connection({
        ...application,
        platform,
        log,
        consumers: (connection) => [callSignals(calls, connection, log), levelSignals(log)],
        rooms: rooms.signals,
        sessionLost: () => listeners.sessionLost(),
      }),
    watchDevices: () => devices.watch(),
    statsInterval: (seconds) => (settings.statsIntervalSeconds = seconds),
    signedOut: () => {
      const isCallEnding = calls.endAll();
      const isRoomEnding = rooms.signOut();
      sounds.stop();
      logUpload.close();
      return isCallEnding || isRoomEnding;
    },
  });
  return { log, settings, listeners, recordings, devices, sounds, calls, rooms, session };
}

/** Returns the consumer of the level of uploaded logs, which the exchange sets. */
const levelSignals = (log: Pick<Log, 'setUploadLevel'>): SignalConsumer => ({
  receive: (frame) => {
    const isLevel = frame.type === 'log_level';
    if (isLevel) log.setUploadLevel(frame.payload.level);
    return isLevel;
  },
});

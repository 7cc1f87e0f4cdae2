import type { Timer } from '../../common/clock.ts';
import { TIMES } from '../../protocol/limits.ts';
import { TURN_CHANGED } from '../../protocol/enumerations.ts';
import type { CallRecording } from '../media/recording.ts';
import type { ScreenShare } from '../media/screen-share.ts';
import type { CallCommands } from './call-commands.ts';
import type { CallIdentity } from './call-identity.ts';
import type { CallRecord } from './call-record.ts';
import type { ConnectedReport } from './connected-report.ts';
import type { LegDeps, LegNotifications } from './leg-deps.ts';
import type { LegMedia } from './leg-media.ts';
import type { LegPeers } from './leg-peers.ts';
import type { LegStats } from './leg-stats.ts';
import type { CallDetail, CallEffects, Lifecycle } from './lifecycle.ts';
import type { DirectCallRecordOption } from './record-option.ts';
import type { CallEffect, CallEventName } from './table.ts';

/** The parts of a leg that perform its effects. */
export interface PerformingLeg {
  readonly identity: CallIdentity;
  readonly record: CallRecord;
  readonly lifecycle: Lifecycle;
  readonly media: LegMedia;
  readonly stats: LegStats;
  readonly screenShare: ScreenShare;
  readonly recording: CallRecording<DirectCallRecordOption>;
  readonly commands: CallCommands;
  readonly peers: LegPeers;
  readonly report: ConnectedReport;
  /** The timers of messages that let media connect first. They end with the call. */
  readonly later: Timer[];
}

/** The effects that send something to the exchange. */
type Sending = Extract<CallEffect, `send${string}`>;

/** Raises an event of the leg, whose lifecycle begins after its effects are known. */
type Raise = (event: CallEventName) => void;

/** Returns the part that performs each effect of the table. */
export function callEffects(leg: PerformingLeg, deps: LegDeps, notify: LegNotifications): CallEffects {
  const { record, media } = leg;
  const raise: Raise = (event) => leg.lifecycle.raise(event);
  return {
    ...sending(leg, deps, raise),
    ...mediaEffects(leg, raise),
    notifyRinging: () => {
      record.mark('ringing');
      notify.ringing();
    },
    notifyEstablished: () => {
      record.mark('accepted');
      notify.plain('onEstablished');
      deps.established();
    },
    notifyConnected: () => notify.plain('onConnected'),
    notifyReconnecting: () => notify.plain('onReconnecting'),
    notifyReconnected: () => notify.plain('onReconnected'),
    notifyEnded: () => {
      notify.plain('onEnded');
      raise('endNotified');
    },
    playReconnected: () => deps.voice.play('RECONNECTED', false),
    countReconnection: () => record.reconnected(),
    settleCancel: () => raise('cancelSettled'),
    release: () => {
      // An aborted call skips the closing state, in which media is closed otherwise.
      media.release();
      deps.released();
    },
  };
}

function sending(
  { identity, record, media, stats, screenShare, commands, peers, report, later }: PerformingLeg,
  { log, platform }: Pick<LegDeps, 'log' | 'platform'>,
  raise: Raise,
): Pick<CallEffects, Sending> {
  const sendConnected = (reconnect: boolean) => {
    const connection = peers.current?.connection;
    if (connection) report.send(connection, reconnect);
  };
  return {
    sendCancel: () => commands.send('cancel'),
    sendDecline: () => commands.send('decline'),
    sendEnd: () => {
      // The exchange must learn that two sides were connected before it learns of the end.
      report.now();
      commands.send('end', record.when('connected') !== null);
    },
    sendNoAnswer: () => commands.send('no_answer'),
    sendAccept: () => {
      const constraints = { audio: media.isLocalAudioEnabled, video: media.isLocalVideoEnabled };
      commands.accept({ constraints, capabilities: [TURN_CHANGED] }).then(
        ({ turn_credential }) => {
          peers.relay.use(turn_credential);
          raise('acceptAcknowledged');
        },
        (error: unknown) => {
          log.warning('the accept was refused', { error });
          raise('acceptFailed');
        },
      );
    },
    sendAlive: () => {
      report.now();
      commands.send('alive');
    },
    sendAcceptingTimeout: () => commands.timeout('accepting_timeout'),
    sendOfferingTimeout: () => commands.timeout('offering_timeout'),
    sendAnsweringTimeout: () => commands.timeout('answering_timeout'),
    sendConnectionLost: () => commands.send('connection_lost'),
    sendMediaState: () => {
      const send = () => {
        commands.media('audio', media.isLocalAudioEnabled);
        if (identity.isVideoCall) commands.media('video', media.isLocalVideoEnabled || screenShare.isSharing);
      };
      // The dial or the accept has named a state that has not changed since. Media connects first then.
      if (media.isAsChosen) later.push(platform.clock.after(TIMES.mediaStateWaitMs, send));
      else send();
    },
    sendConnected: () => {
      record.connected();
      sendConnected(false);
    },
    sendReconnected: () => sendConnected(true),
    sendSummary: () => stats.sendSummary(),
  };
}

/** Returns the effects on peer connections, statistics, the recording and the screen share. */
const mediaEffects = ({ peers, stats, recording, screenShare, media }: PerformingLeg, raise: Raise) => ({
  createPeerConnection: () => peers.create(),
  createOffer: () => peers.current?.offer(),
  applyOffer: ({ offer }: CallDetail) => {
    if (offer) peers.current?.receiveOffer(offer.sdp, offer.peer_connection_id, offer.offer_id);
  },
  startStats: () => {
    const connection = peers.current?.connection;
    if (connection) stats.start(connection);
  },
  stopStats: () => stats.stop(),
  stopRecording: () => recording.close(),
  stopScreenShare: () => screenShare.close(),
  // The devices open while the accept is on its way.
  openMedia: () => media.open(),
  closeMedia: () => {
    // The event is raised first and handled last: an engine that fails to close must not keep the call from ending.
    raise('mediaClosed');
    peers.current?.close();
    media.close();
  },
});

import type { RelayCredential } from '../../protocol/entities.ts';
import type { RecordingStatus } from '../../protocol/enumerations.ts';
import { TIMES } from '../../protocol/limits.ts';
import type { Timer } from '../../common/clock.ts';
import { captureView, type CaptureVideoViewResult } from '../media/capture.ts';
import { CallRecording } from '../media/recording.ts';
import { ScreenShare } from '../media/screen-share.ts';
import { CallCommands } from './call-commands.ts';
import { connectedReport, type ConnectedReport } from './connected-report.ts';
import { CallIdentity } from './call-identity.ts';
import { CallRecord } from './call-record.ts';
import { CustomItemRequests, type CustomItemsChange } from '../host/custom-item-requests.ts';
import { callHold, type Hold } from './hold.ts';
import { LegMedia } from './leg-media.ts';
import { legPeers, type LegPeers } from './leg-peers.ts';
import { LegStats } from './leg-stats.ts';
import type { LegFacts, LegNotifications, LegDeps } from './leg-deps.ts';
import type { DirectCallRecordOption } from './record-option.ts';
import { sequenceGate, type SequenceGate } from '../realtime/sequence-gate.ts';
import { callEffects } from './call-effects.ts';
import { applySignal, type CallFrame, type SignalTargets } from './incoming-signals.ts';
import { Lifecycle } from './lifecycle.ts';
import { CALL_SOUNDS, type CallState } from './table.ts';

/**
 * One leg of a direct call, composed of its parts. The lifecycle decides. {@link callEffects} maps each of its effects
 * to a part, and {@link applySignal} passes signals to the parts.
 */
export class CallLeg {
  readonly identity: CallIdentity;
  readonly record: CallRecord;
  readonly lifecycle: Lifecycle;
  readonly media: LegMedia;
  readonly hold: Hold;
  readonly stats: LegStats;
  readonly screenShare: ScreenShare;
  readonly recording: CallRecording<DirectCallRecordOption>;
  readonly customItems: CustomItemRequests;
  readonly commands: CallCommands;
  readonly peers: LegPeers;
  readonly report: ConnectedReport;
  /** The timers of messages that let media connect first. They end with the call. */
  readonly later: Timer[] = [];
  readonly #deps: LegDeps;
  readonly #notify: LegNotifications;
  readonly #signals: SequenceGate<CallFrame>;
  #remoteRecording: RecordingStatus = 'none';

  constructor(facts: LegFacts, around: LegDeps, notify: LegNotifications) {
    const { clock, devices } = around.platform;
    this.#deps = around;
    this.#notify = notify;
    this.identity = new CallIdentity(facts);
    const fetchMissed = () => around.fetchMissed(this.identity.callId);
    this.record = new CallRecord(clock);
    this.commands = new CallCommands(this.identity.callId, {
      port: around.commands,
      log: around.log,
      // The call has ended with an unknown result (D12).
      unknown: () => this.lifecycle.raise('remoteEnded', { result: 'unknown' }),
      over: () => void fetchMissed(),
    });
    this.customItems = new CustomItemRequests({
      rest: () => around.rest,
      changed: (_callId, change) => this.takeCustomItems(change),
      log: around.log,
    });
    this.media = new LegMedia({
      platform: around.platform,
      choice: around.devices,
      log: around.log,
      isVideoCall: facts.isVideoCall,
      remoteMedia: facts.remoteMedia,
      call: {
        isOver: () => this.lifecycle.isOver,
        isOnHold: () => this.hold.isOnHold,
        isSharing: () => this.screenShare.isSharing,
      },
      tell: (kind, enabled) => {
        if (this.lifecycle.isUnderWay) this.commands.media(kind, enabled);
      },
      missing: () => notify.plain('onLocalDeviceMissing'),
      changed: () => this.recording.follow(),
      send: async (kind, track) => this.peers.current?.replaceTrack(kind, track),
    });
    this.stats = new LegStats(this.identity, this.record, around);
    this.peers = legPeers(this, around);
    this.report = connectedReport(this.commands);
    this.hold = callHold({
      call: () => this.lifecycle,
      request: (onHold) => this.commands.hold(onHold, this.stats.isRelayed),
      silence: (onHold) => {
        this.media.silence(onHold);
        this.screenShare.setEnabled(!onHold);
      },
      changed: (isLocal, onHold) => notify.holdChanged(isLocal, onHold),
      otherCallIsActive: () => around.otherCallIsActive(),
      endOtherCalls: () => around.endOtherCalls(),
    });
    this.screenShare = new ScreenShare({
      devices,
      call: {
        isVideoCall: facts.isVideoCall,
        isConnected: () => this.lifecycle.is('connected', 'reconnecting'),
        isOnHold: () => this.hold.isOnHold,
      },
      picture: { send: (screen) => this.media.sendScreen(screen) },
      stopped: () => {
        this.recording.follow();
        notify.plain('onScreenShareStopped');
      },
      log: around.log,
    });
    this.recording = this.#makeRecording();
    this.lifecycle = new Lifecycle({
      role: facts.role,
      record: this.record,
      effects: callEffects(this, around, notify),
      durations: {
        alive: () => TIMES.aliveIntervalMs,
        ring: () => around.settings.ringingTimeoutMs,
        connection: () => around.settings.connectionTimeoutMs,
        grace: () => TIMES.reconnectGraceMs,
      },
      moved: (to) => this.#moved(to),
      localUserId: () => this.identity.local.userId,
      clock,
      log: around.log,
    });
    const targets = this.#signalTargets();
    this.#signals = sequenceGate((frame) => applySignal(frame, targets), fetchMissed, facts.lastSignal);
  }

  get state(): CallState {
    return this.lifecycle.state;
  }

  get remoteRecordingStatus(): RecordingStatus {
    return this.lifecycle.isOver ? 'none' : this.#remoteRecording;
  }

  /** The number of the last signal applied. */
  get lastSignal(): number {
    return this.#signals.last;
  }

  /** Handles a signal of this call, from any channel. */
  receive(frame: CallFrame): void {
    this.#signals.receive(frame);
  }

  /** Handles the acknowledgement of the dial. */
  acknowledged(reply: Parameters<CallIdentity['acknowledged']>[0] & { turn_credential: RelayCredential }): void {
    this.identity.acknowledged(reply);
    this.commands.callId = reply.call_id;
    this.peers.relay.use(reply.turn_credential);
    this.lifecycle.raise('dialAcknowledged');
  }

  /** Cancels a call at the exchange that the host ended before it had an id. */
  cancelLate(callId: string): void {
    this.commands.callId = callId;
    this.commands.send('cancel');
  }

  /**
   * Captures a still picture of the local or the remote view.
   * @throws CallError as {@link captureView} does.
   */
  capture(side: 'local' | 'remote'): CaptureVideoViewResult {
    const element = this.media[`${side}View`].element;
    const call = {
      isVideoCall: this.identity.isVideoCall,
      isConnected: () => this.lifecycle.is('connected'),
      isOnHold: () => this.hold.isOnHold,
    };
    return captureView(call, element, this.#deps.platform.frames);
  }

  /** Applies a change of custom items by any user. A change that is older than the last one is dropped (§3). */
  takeCustomItems({ how, items, keys, affectedAt }: CustomItemsChange): void {
    if (!this.identity.updateCustomItems(items, affectedAt) || keys.length === 0) return;
    this.#notify.customItemsChanged(how, [...keys]);
  }

  #makeRecording(): CallRecording<DirectCallRecordOption> {
    const { platform, recordings } = this.#deps;
    const { isVideoCall } = this.identity;
    return new CallRecording({
      recorder: platform.recorder,
      clock: platform.clock,
      newId: platform.newId,
      userAgent: platform.environment.userAgent,
      call: {
        isVideoCall,
        callId: () => this.identity.callId,
        isConnected: () => this.lifecycle.is('connected'),
      },
      tracks: {
        local: () => {
          const { audio, video } = this.media.localTracks;
          return { audio, video: this.screenShare.track ?? video };
        },
        remote: () => this.media.remoteTracks,
      },
      tell: (id, type, status) =>
        this.commands.recording({ recording_id: id, recording_type: type, recording_status: status }),
      succeeded: (id, option, fileName) => recordings.succeeded(this.identity.callId, id, option, fileName),
      failed: (id, error) => recordings.failed(this.identity.callId, id, error),
      log: this.#deps.log,
    });
  }

  #moved(to: CallState): void {
    const sound = CALL_SOUNDS[to];
    if (sound) this.#deps.voice.play(sound, true);
    else this.#deps.voice.stop();
  }

  #signalTargets(): SignalTargets {
    const notify = this.#notify;
    return {
      localUserId: this.identity.local.userId,
      lastSignal: () => this.lastSignal,
      lifecycle: this.lifecycle,
      peers: () => this.peers.current,
      relay: this.peers.relay,
      remote: {
        audio: (enabled) => {
          if (this.media.remoteAudio(enabled)) notify.plain('onRemoteAudioSettingsChanged');
        },
        video: (enabled) => {
          if (this.media.remoteVideo(enabled)) notify.plain('onRemoteVideoSettingsChanged');
        },
        recording: (status) => {
          if (this.#remoteRecording === status) return;
          this.#remoteRecording = status;
          notify.plain('onRemoteRecordingStatusChanged');
        },
        hold: (onHold) => this.hold.remote(onHold),
        customItems: (change) => this.takeCustomItems(change),
        dialReceived: () => {
          if (this.record.when('ringing') !== null) return;
          this.record.mark('ringing');
          notify.plain('onCalleeDialReceived');
        },
      },
    };
  }
}

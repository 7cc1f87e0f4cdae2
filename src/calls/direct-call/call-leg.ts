import type { RelayCredential } from '../../protocol/entities.ts';
import { TURN_CHANGED, type RecordingStatus } from '../../protocol/enumerations.ts';
import { TIMES } from '../../protocol/limits.ts';
import { captureView, type CaptureVideoViewResult } from '../media/capture.ts';
import { CallRecording } from '../media/recording.ts';
import { ScreenShare } from '../media/screen-share.ts';
import { Peers } from '../peer/peers.ts';
import { initialCredential } from '../peer/connection-through.ts';
import { type ConnectionInfo, readConnectionInfo, UNKNOWN_PATH } from '../stats/connection-info.ts';
import { CallCommands } from './call-commands.ts';
import { CallIdentity } from './call-identity.ts';
import { CallRecord } from './call-record.ts';
import { CustomItemRequests, type CustomItemsChange } from '../host/custom-item-requests.ts';
import { callHold, type Hold } from './hold.ts';
import { applySignal, type CallFrame, type SignalTargets } from './incoming-signals.ts';
import { LegMedia } from './leg-media.ts';
import { LegStats } from './leg-stats.ts';
import type { LegFacts, LegNotifications, LegDeps } from './leg-deps.ts';
import { Lifecycle, type CallEffects } from './lifecycle.ts';
import type { DirectCallRecordOption } from './record-option.ts';
import { sequenceGate, type SequenceGate } from '../realtime/sequence-gate.ts';
import { CALL_SOUNDS, type CallState } from './table.ts';

/** The tracks of a call: each side sends and receives one of each kind. */
const AUDIO = { kind: 'audio', direction: 'sendrecv' } as const;
const VIDEO = { kind: 'video', direction: 'sendrecv' } as const;

/**
 * One leg of a direct call, composed of its parts. The lifecycle decides. {@link CallLeg.effects} maps each of its
 * effects to a part, and {@link applySignal} passes signals to the parts.
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
  readonly #deps: LegDeps;
  readonly #notify: LegNotifications;
  readonly #commands: CallCommands;
  readonly #signals: SequenceGate<CallFrame>;
  readonly #targets: SignalTargets;
  #peers: Peers | null = null;
  /** Reports to the exchange that media is up, once the path is known. Null after the report. */
  #sayConnected: ((path: ConnectionInfo) => void) | null = null;
  /** Repeats the report until the exchange has it. Otherwise the exchange would end the call as never connected. */
  #repeatConnected: (() => void) | null = null;
  #credential: RelayCredential | null = null;
  #remoteRecording: RecordingStatus = 'none';

  constructor(facts: LegFacts, around: LegDeps, notify: LegNotifications) {
    const { clock, devices } = around.platform;
    this.#deps = around;
    this.#notify = notify;
    this.identity = new CallIdentity(facts);
    this.record = new CallRecord(clock);
    this.#commands = new CallCommands(this.identity.callId, {
      port: around.commands,
      log: around.log,
      // The call has ended with an unknown result (D12).
      unknown: () => this.lifecycle.raise('remoteEnded', { result: 'unknown' }),
      over: () => void this.#fetchMissed(),
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
        if (this.#isUnderWay) this.#commands.media(kind, enabled);
      },
      missing: () => notify.plain('onLocalDeviceMissing'),
      changed: () => this.recording.follow(),
      send: async (kind, track) => this.#peers?.replaceTrack(kind, track),
    });
    this.stats = new LegStats(this.identity, this.record, around);
    this.hold = callHold({
      call: { isUnderWay: () => this.#isUnderWay, isOver: () => this.lifecycle.isOver },
      request: (onHold) => this.#commands.hold(onHold, this.stats.isRelayed),
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
      effects: this.#effects(),
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
    this.#targets = this.#signalTargets();
    this.#signals = sequenceGate(
      (frame) => applySignal(frame, this.#targets),
      () => this.#fetchMissed(),
      facts.lastSignal ?? 0,
    );
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

  /** The connection that carries the call, for statistics. Null before it is established. */
  get connection() {
    return this.#peers?.connection ?? null;
  }

  /** Handles a signal of this call, from any channel. */
  receive(frame: CallFrame): void {
    this.#signals.receive(frame);
  }

  /** Uses the first relay credential of the call. */
  useRelay(credential: RelayCredential): void {
    this.#credential = initialCredential(credential, this.#deps.log);
  }

  /** Handles the acknowledgement of the dial. */
  acknowledged(reply: Parameters<CallIdentity['acknowledged']>[0] & { turn_credential: RelayCredential }): void {
    this.identity.acknowledged(reply);
    this.#commands.callId = reply.call_id;
    this.useRelay(reply.turn_credential);
    this.lifecycle.raise('dialAcknowledged');
  }

  /** Cancels a call at the exchange that the host ended before it had an id. */
  cancelLate(callId: string): void {
    this.#commands.callId = callId;
    this.#commands.send('cancel');
  }

  /**
   * Captures a still picture of the local or the remote view.
   * @throws CallError as {@link captureView} does.
   */
  capture(side: 'local' | 'remote'): CaptureVideoViewResult {
    const element = side === 'local' ? this.media.localElement : this.media.remoteElement;
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
        this.#commands.recording({ recording_id: id, recording_type: type, recording_status: status }),
      succeeded: (id, option, fileName) => recordings.succeeded(this.identity.callId, id, option, fileName),
      failed: (id, error) => recordings.failed(this.identity.callId, id, error),
      log: this.#deps.log,
    });
  }

  get #isUnderWay(): boolean {
    return this.lifecycle.is('established', 'connected', 'reconnecting');
  }

  #moved(to: CallState): void {
    const sound = CALL_SOUNDS[to];
    if (sound) this.#deps.voice.play(sound, true);
    else this.#deps.voice.stop();
  }

  /** Returns the part that performs each effect of the table. */
  #effects(): CallEffects {
    const { voice } = this.#deps;
    const notify = this.#notify;
    const commands = this.#commands;
    return {
      sendCancel: () => commands.send('cancel'),
      sendDecline: () => commands.send('decline'),
      sendEnd: () => {
        // The exchange must learn that two sides were connected before it learns of the end.
        (this.#sayConnected ?? this.#repeatConnected)?.(UNKNOWN_PATH);
        commands.send('end');
      },
      sendNoAnswer: () => commands.send('no_answer'),
      sendAccept: () => this.#accept(),
      sendAlive: () => {
        this.#repeatConnected?.();
        commands.send('alive');
      },
      sendAcceptingTimeout: () => commands.timeout('accepting_timeout'),
      sendOfferingTimeout: () => commands.timeout('offering_timeout'),
      sendAnsweringTimeout: () => commands.timeout('answering_timeout'),
      sendConnectionLost: () => commands.send('connection_lost'),
      sendMediaState: () => {
        commands.media('audio', this.media.isLocalAudioEnabled);
        if (this.identity.isVideoCall) commands.media('video', this.media.isLocalVideoEnabled);
      },
      sendConnected: () => {
        this.record.connected();
        this.#sendConnected(false);
      },
      sendReconnected: () => this.#sendConnected(true),
      sendSummary: () => this.stats.sendSummary(),
      createPeerConnection: () => this.#createPeers(),
      createOffer: () => this.#peers?.offer(),
      applyOffer: ({ offer }) => {
        if (offer) this.#peers?.receiveOffer(offer.sdp, offer.peer_connection_id, offer.offer_id);
      },
      startStats: () => {
        if (this.connection) this.stats.start(this.connection);
      },
      stopStats: () => this.stats.stop(),
      stopRecording: () => this.recording.close(),
      stopScreenShare: () => this.screenShare.close(),
      closeMedia: () => {
        // The event is raised first and handled last: an engine that fails to close must not keep the call from ending.
        this.lifecycle.raise('mediaClosed');
        this.#peers?.close();
        this.media.close();
      },
      countReconnection: () => this.record.reconnected(),
      playReconnected: () => voice.play('RECONNECTED', false),
      notifyRinging: () => {
        this.record.mark('ringing');
        notify.ringing();
      },
      notifyEstablished: () => {
        this.record.mark('accepted');
        notify.plain('onEstablished');
        this.#deps.established();
      },
      notifyConnected: () => notify.plain('onConnected'),
      notifyReconnecting: () => notify.plain('onReconnecting'),
      notifyReconnected: () => notify.plain('onReconnected'),
      notifyEnded: () => {
        notify.plain('onEnded');
        this.lifecycle.raise('endNotified');
      },
      settleCancel: () => this.lifecycle.raise('cancelSettled'),
      release: () => {
        // An aborted call skips the closing state, in which media is closed otherwise.
        this.media.release();
        this.#deps.released();
      },
    };
  }

  #signalTargets(): SignalTargets {
    const notify = this.#notify;
    return {
      localUserId: this.identity.local.userId,
      lastSignal: () => this.lastSignal,
      lifecycle: this.lifecycle,
      peers: () => this.#peers,
      relay: {
        use: (credential) => this.useRelay(credential),
        change: (credential) => {
          this.#credential = credential;
          this.#peers?.changeRelay(credential);
        },
        renew: (credential) => {
          this.#credential = credential;
          this.#peers?.renewRelay(credential);
        },
      },
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
          this.record.mark('ringing');
          notify.plain('onCalleeDialReceived');
        },
      },
    };
  }

  #accept(): void {
    const constraints = { audio: this.media.isLocalAudioEnabled, video: this.media.isLocalVideoEnabled };
    this.#commands.accept({ constraints, capabilities: [TURN_CHANGED] }).then(
      ({ turn_credential }) => {
        this.useRelay(turn_credential);
        this.lifecycle.raise('acceptAcknowledged');
      },
      (error: unknown) => {
        this.#deps.log.warning('the accept was refused', { error });
        this.lifecycle.raise('acceptFailed');
      },
    );
  }

  #createPeers(): void {
    const { platform, log } = this.#deps;
    const { tracks } = this.media;
    if (!this.#credential || !tracks) {
      log.error('the call was established without media or relay');
      return;
    }
    this.#peers = new Peers({
      role: this.identity.role === 'dc_caller' ? 'initiator' : 'responder',
      plan: this.identity.isVideoCall ? [AUDIO, VIDEO] : [AUDIO],
      localTracks: tracks,
      commands: this.#commands,
      rtc: platform.rtc,
      clock: platform.clock,
      newId: platform.newId,
      log,
      events: {
        connected: () => this.lifecycle.raise('peerConnected'),
        lost: () => this.lifecycle.raise('peerLost'),
        remoteStream: (stream) => {
          // Another connection may carry the call now. Its statistics count from here.
          const isMedia = this.media.hasRemoteStream && this.lifecycle.is('connected', 'reconnecting');
          if (isMedia && this.connection) this.stats.start(this.connection);
          this.media.showRemote(stream);
        },
      },
    });
    this.#peers.create(this.#credential);
  }

  #sendConnected(reconnect: boolean): void {
    const { connection } = this;
    if (!connection) return;
    const say = (path: ConnectionInfo) => {
      if (this.#sayConnected !== say) return;
      this.#sayConnected = null;
      void this.#tellConnected(path, reconnect);
    };
    this.#sayConnected = say;
    this.#repeatConnected = null;
    void readConnectionInfo(connection).then(say);
  }

  async #tellConnected(path: ConnectionInfo, reconnect: boolean): Promise<void> {
    const repeat = () => void this.#tellConnected(path, reconnect);
    this.#repeatConnected = repeat;
    const isHeard = await this.#commands.connected(path, reconnect);
    if (isHeard && this.#repeatConnected === repeat) this.#repeatConnected = null;
  }

  async #fetchMissed(): Promise<void> {
    try {
      await this.#deps.fetchMissed(this.identity.callId);
    } catch (error) {
      this.#deps.log.debug('missed signals could not be fetched', { error });
    }
  }
}

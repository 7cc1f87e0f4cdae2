import { CallError, ErrorCode } from '../../../protocol/errors.ts';
import type { EndpointDirections } from '../../../protocol/room-directions.ts';
import { ROOM_TIMES } from '../../../protocol/limits.ts';
import type { Logger } from '../../logging/log.ts';
import { MachineDriver } from '../../machine/machine-driver.ts';
import type { IceNews } from '../../peer/ice-watch.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  ENDPOINT_MACHINE,
  type EndpointEffect,
  type EndpointEvent,
  type EndpointRole,
  type EndpointRow,
  type EndpointState,
  type EndpointTimer,
} from '../endpoint-table.ts';
import type { EndpointRequests } from '../participation-media.ts';
import { planOf } from './directions.ts';
import { EndpointConnection } from './endpoint-connection.ts';
import { startRetry, type Retry } from './retry.ts';

export interface MediaEndpointEvents {
  /** Runs when the endpoint is connected. @param isAgain - true when it had been connected before (EP-14). */
  connected?(isAgain: boolean): void;
  /** Runs when a connected endpoint has lost its connection. */
  lost?(): void;
  /** Runs when the other side announced a track, on each connection. */
  received?(stream: MediaStream): void;
  /** Runs when the media of the participant arrives: a viewer is connected and attached. */
  started?(): void;
  /** Runs once until the endpoint is connected: a connection could not be made, or an attach. */
  failed(error: CallError): void;
  closed(): void;
}

export interface MediaEndpointOptions {
  readonly role: EndpointRole;
  readonly directions: EndpointDirections;
  readonly platform: Pick<Platform, 'clock' | 'random' | 'newId' | 'rtc'>;
  readonly requests: EndpointRequests;
  /** Returns the tracks to send now. Each connection begins with it. */
  readonly tracks: () => Promise<readonly MediaStreamTrack[]>;
  readonly events: MediaEndpointEvents;
  readonly log: Pick<Logger, 'debug' | 'error'>;
}

/** One pass from an offer to the loss of its connection. */
interface Pass {
  readonly connection: EndpointConnection;
  /** The id at the exchange, and the packed answer. Null before the exchange has answered. */
  established: { readonly id: string; readonly answer: string } | null;
  isAttached: boolean;
  /** Whether the picture is received, as last negotiated. */
  receivesPicture: boolean;
  /** The requests that are repeated until they succeed. */
  readonly retries: Map<'attach' | 'connected' | 'picture', Retry>;
}

const FAILED: Readonly<Record<EndpointRole, number>> = {
  master: ErrorCode.ERR_FAILED_TO_ESTABLISH_CONNECTION_TO_SEND_STREAM,
  viewer: ErrorCode.ERR_FAILED_TO_ESTABLISH_CONNECTION_TO_RECEIVE_STREAM,
};

/** The exchange does not know the endpoint, or has released it. */
const isUnknown = (error: unknown) =>
  error instanceof CallError && error.code === ErrorCode.ERR_INVALID_ROOM_PARTICIPANT;

/**
 * A media endpoint of a room (§4): it drives {@link ENDPOINT_MACHINE}, and connects again after each loss. Each pass has
 * a new peer connection, and a new endpoint at the exchange (ADR 0027).
 */
export class MediaEndpoint {
  readonly #options: MediaEndpointOptions;
  readonly #machine: MachineDriver<
    EndpointState,
    EndpointEvent,
    EndpointEffect,
    EndpointTimer,
    EndpointRole,
    EndpointRow,
    { readonly source: string }
  >;
  /** The name of the endpoint until the exchange has given it an id. */
  readonly #temporaryId: string;
  #pass: Pass | null = null;
  /** The request that makes an endpoint. A release waits for it. */
  #creating: Promise<unknown> = Promise.resolve();
  /** The ids of former passes that the exchange may still have. */
  readonly #unreleased = new Set<string>();
  /** The participant whose media is received. Null before an attach. */
  #source: string | null = null;
  #wantsPicture = true;
  #reconnects = 0;
  #hasConnected = false;
  #hasToldFailure = false;

  constructor(options: MediaEndpointOptions) {
    this.#options = options;
    const { role, platform, log } = options;
    this.#temporaryId = platform.newId();
    this.#machine = new MachineDriver(ENDPOINT_MACHINE, role, platform.clock, {
      perform: (effect, detail) => this.#perform(effect, detail?.source),
      moved: (from, to) => this.#moved(from, to),
      refused: (state, event, reason) => log.error(`media endpoint: ${event} in ${state}: ${reason}`),
      failed: (effect, error) => log.error(`media endpoint: ${effect} failed`, { error }),
      duration: (timer) =>
        timer === 'connect'
          ? ROOM_TIMES.endpointConnectMs
          : ROOM_TIMES.endpointReconnectMs + ROOM_TIMES.endpointReconnectNoiseMs * platform.random(),
    });
  }

  get state(): EndpointState {
    return this.#machine.state;
  }

  /** The id at the exchange, or a temporary one until the endpoint is established (§3). */
  get id(): string {
    return this.#pass?.established?.id ?? this.#temporaryId;
  }

  /** The number of passes that followed a loss or a failure (EP-10). */
  get reconnects(): number {
    return this.#reconnects;
  }

  /** True once the endpoint has been connected. */
  get hasConnected(): boolean {
    return this.#hasConnected;
  }

  /** Makes the first offer. */
  begin(): void {
    this.#machine.raise('begun');
  }

  /** Connects again, when the exchange has lost an endpoint that is connected here. */
  connectAgain(): void {
    if (this.#pass && this.state === 'connected') this.#raise(this.#pass, 'iceFailed');
  }

  /** Receives the media of a participant from now on, and after each reconnect (EP-13). */
  attach(source: string): void {
    this.#machine.raise('attachRequested', { source });
  }

  /** Receives the picture, or only the sound. A new connection begins with the picture. */
  setReceivesPicture(isReceived: boolean): void {
    this.#wantsPicture = isReceived;
    if (this.#pass) this.#negotiatePicture(this.#pass);
  }

  /** Sends another sound or picture in place of the present one. */
  async replaceTrack(kind: 'audio' | 'video', track: MediaStreamTrack): Promise<void> {
    await this.#pass?.connection.replaceTrack(kind, track);
  }

  /** Sends the picture smaller by a factor. Rejects in an engine without this. */
  async scalePicture(factor: number): Promise<void> {
    await this.#pass?.connection.scalePicture(factor);
  }

  /** Closes the endpoint here and at the exchange (EP-11). */
  release(): void {
    if (this.state !== 'releasing' && this.state !== 'closed') this.#machine.raise('releaseRequested');
  }

  /** Closes the endpoint here: the exchange releases it with its participant (EP-12). */
  exit(): void {
    if (this.state !== 'closed') this.#machine.raise('exitRequested');
  }

  #perform(effect: EndpointEffect, source: string | undefined): void {
    const { events } = this.#options;
    switch (effect) {
      case 'offer':
        return this.#offer();
      case 'applyAnswer':
        return this.#applyAnswer();
      case 'keepAttach':
        this.#source = source ?? null;
        return;
      case 'sendAttach':
        this.#source = source ?? null;
        return this.#sendAttach();
      case 'applyAttaches':
        return this.#sendAttach();
      case 'sendConnected':
        return this.#sendConnected();
      case 'notifyConnected':
        return this.#notifyConnected();
      case 'notifyLost':
        return events.lost?.();
      case 'countReconnect':
        this.#reconnects += 1;
        return;
      case 'dropConnection':
        this.#dropConnection();
        return this.#machine.raise('connectionDropped');
      case 'sendRelease':
        return this.#sendRelease();
      case 'close':
        this.#dropConnection();
        return events.closed();
      default:
        return effect satisfies never;
    }
  }

  #moved(from: EndpointState, to: EndpointState): void {
    const { role, log } = this.#options;
    log.debug('media endpoint', { id: this.id, role, from, to });
    if (to === 'disconnected' && from !== 'connected') this.#tellFailure();
  }

  #offer(): void {
    const { platform, directions, events } = this.#options;
    let connection: EndpointConnection;
    try {
      connection = new EndpointConnection({
        rtc: platform.rtc,
        plan: planOf(directions),
        ice: (news) => this.#ice(pass, news),
        received: (stream) => {
          if (this.#pass === pass) events.received?.(stream);
        },
      });
    } catch (error) {
      return this.#failed(null, 'making a connection', error);
    }
    const pass: Pass = {
      connection,
      established: null,
      isAttached: false,
      receivesPicture: true,
      retries: new Map(),
    };
    this.#pass = pass;
    this.#creating = this.#create(pass).then(
      () => this.#raise(pass, 'requestSucceeded'),
      (error: unknown) => this.#failed(pass, 'offering', error),
    );
  }

  /** Makes an endpoint at the exchange, after the release of the former ones: a participant has one master. */
  async #create(pass: Pass): Promise<void> {
    const { requests, tracks, directions } = this.#options;
    const offer = await pass.connection.offer(await tracks());
    await this.#releaseFormer();
    if (this.#pass !== pass) return;
    const { audio: audio_attr, video: video_attr } = directions;
    const reply = await requests.request('endpoint_create', { sdp: offer, audio_attr, video_attr });
    this.#unreleased.add(reply.endpoint_id);
    if (this.#pass === pass) pass.established = { id: reply.endpoint_id, answer: reply.sdp };
    // A reply after the end of its pass has an endpoint that nothing uses.
    else if (this.state !== 'closed') await this.#releaseAtExchange(reply.endpoint_id);
  }

  #applyAnswer(): void {
    const pass = this.#pass;
    if (!pass?.established) return;
    pass.connection
      .applyAnswer(pass.established.answer)
      .catch((error: unknown) => this.#failed(pass, 'applying the answer', error));
  }

  #ice(pass: Pass, news: IceNews): void {
    if (news === 'iceFailed') this.#raise(pass, 'iceFailed');
    // After a short loss the endpoint is connected all the time.
    if (news === 'iceConnected' && this.state === 'established') this.#raise(pass, 'peerConnected');
  }

  #sendAttach(): void {
    const { requests } = this.#options;
    const [pass, source] = [this.#pass, this.#source];
    if (!pass || source === null) return;
    pass.isAttached = false;
    const attach = async (endpoint_id: string) => {
      await requests.request('endpoint_attach', { endpoint_id, attach_to: source });
      if (this.#pass !== pass || this.#source !== source) return;
      pass.isAttached = true;
      if (this.state === 'connected') this.#started();
    };
    // The participant may send again later. No message of the exchange states when.
    this.#repeat(pass, 'attach', attach, () => {
      this.#tellFailure();
      this.#raise(pass, 'iceFailed');
    });
  }

  #sendConnected(): void {
    const { requests } = this.#options;
    const report = async (endpoint_id: string) => void (await requests.request('endpoint_connected', { endpoint_id }));
    if (this.#pass) this.#repeat(this.#pass, 'connected', report);
  }

  #notifyConnected(): void {
    const { events } = this.#options;
    const isAgain = this.#hasConnected;
    this.#hasConnected = true;
    // A viewer has failed until it is attached too.
    if (this.#source === null) this.#hasToldFailure = false;
    events.connected?.(isAgain);
    if (this.#pass?.isAttached) this.#started();
    if (this.#pass) this.#negotiatePicture(this.#pass);
  }

  #started(): void {
    this.#hasToldFailure = false;
    this.#options.events.started?.();
  }

  #negotiatePicture(pass: Pass): void {
    const { requests, directions } = this.#options;
    // An audio room has no picture.
    if (directions.video === 'inactive') return;
    if (this.state !== 'connected' || pass.receivesPicture === this.#wantsPicture) return;
    // One negotiation at a time: the present one looks again when it is done.
    if (pass.retries.has('picture')) return;
    const negotiate = async (endpoint_id: string) => {
      const wanted = this.#wantsPicture;
      const sdp = await pass.connection.offerPicture(wanted);
      const reply = await requests.request('endpoint_put', { endpoint_id, sdp });
      await pass.connection.applyAnswer(reply.sdp);
      pass.receivesPicture = wanted;
      pass.retries.delete('picture');
      if (this.#pass === pass) this.#negotiatePicture(pass);
    };
    this.#repeat(pass, 'picture', negotiate, () => pass.retries.delete('picture'));
  }

  /** Sends a request about the endpoint of a pass until it succeeds. An endpoint that is gone connects again. */
  #repeat(
    pass: Pass,
    name: 'attach' | 'connected' | 'picture',
    operation: (endpointId: string) => Promise<void>,
    gaveUp: () => void = () => undefined,
  ): void {
    const { platform, log } = this.#options;
    const attempt = async () => {
      const { established } = pass;
      if (this.#pass !== pass || !established) return;
      try {
        await operation(established.id);
      } catch (error) {
        if (this.#pass !== pass) return;
        log.debug(`media endpoint: ${name} was not acknowledged`, { id: this.id, error });
        if (isUnknown(error)) return this.#raise(pass, 'iceFailed');
        throw error;
      }
    };
    pass.retries.get(name)?.stop();
    pass.retries.set(name, startRetry(platform.clock, attempt, gaveUp));
  }

  #sendRelease(): void {
    this.#dropConnection();
    // The reply to an endpoint that is being made has the id to release.
    void this.#creating.then(async () => {
      if (this.state !== 'releasing') return;
      await this.#releaseFormer();
      if (this.state === 'releasing') this.#machine.raise('released');
    });
  }

  async #releaseFormer(): Promise<void> {
    await Promise.all([...this.#unreleased].map((id) => this.#releaseAtExchange(id)));
  }

  /** Releases an endpoint. Never rejects: one that is not released here is released with its participant. */
  async #releaseAtExchange(endpoint_id: string): Promise<void> {
    try {
      await this.#options.requests.request('endpoint_release', { endpoint_id });
    } catch (error) {
      this.#options.log.debug('media endpoint: the release was not acknowledged', { id: endpoint_id, error });
      if (!isUnknown(error)) return;
    }
    this.#unreleased.delete(endpoint_id);
  }

  #dropConnection(): void {
    const pass = this.#pass;
    this.#pass = null;
    for (const retry of pass?.retries.values() ?? []) retry.stop();
    pass?.connection.close();
  }

  #raise(pass: Pass, event: 'requestSucceeded' | 'iceFailed' | 'peerConnected'): void {
    const isLive = this.state === 'offering' || this.state === 'established' || this.state === 'connected';
    if (this.#pass === pass && isLive) this.#machine.raise(event);
  }

  /** Handles that a pass cannot connect. One that was dropped meanwhile fails without effect. */
  #failed(pass: Pass | null, what: string, error: unknown): void {
    if (this.#pass !== pass) return;
    this.#options.log.error(`media endpoint: ${what} failed`, { id: this.id, error });
    this.#machine.raise('requestFailed');
  }

  /** Reports once that this endpoint cannot connect, until it has connected. */
  #tellFailure(): void {
    if (this.#hasToldFailure) return;
    this.#hasToldFailure = true;
    this.#options.events.failed(new CallError(FAILED[this.#options.role]));
  }
}

/** The ends of endpoints at Janus: each is one peer connection of a plugin, or two. */
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { type JanusHandle, type JanusReply, JanusError, read } from './connection.ts';
import {
  answerToJanus,
  answerToViewer,
  checkViewerOffer,
  iceName,
  joinedAnswer,
  midsOf,
  offerOf,
  receivedKinds,
} from './descriptions.ts';
import { joined, type Jsep, subscribed } from './messages.ts';
import type { RoomPlace } from './room-place.ts';

type Kind = 'audio' | 'video';
const KINDS = ['audio', 'video'] as const;

/** What a publisher sends at the moment. */
export interface Feed {
  readonly id: number;
  /** The names of its streams. */
  readonly mids: Readonly<Partial<Record<Kind, string>>>;
  /** Whether its peer connection is connected. Janus forwards nothing else. */
  readonly isUp: boolean;
}

/** The end of an endpoint at Janus. */
export interface Link {
  /** Answers an offer of the client: the first one, or a later one. @throws CallError, JanusError */
  negotiate(offer: string): Promise<string>;
  /** What others can get from it. Null for a viewer and for a mix. */
  readonly feed: Feed | null;
  /** Forwards this feed to the client. Only a viewer does. */
  watch(feed: Feed | null): void;
  /** Resolves when Janus has carried out every {@link watch}. Never rejects. */
  settled(): Promise<void>;
  close(): void;
}

const gone = () => new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);

/** Returns the answer in a reply. @throws JanusError when there is none. */
function answerIn({ jsep }: JanusReply): string {
  if (jsep?.type !== 'answer') throw new JanusError('the reply to an offer has no answer');
  return jsep.sdp;
}

/** A peer connection that answers the client's offers itself: of a publisher, or of a participant of a mix. */
export class SenderLink implements Link {
  readonly #handle: JanusHandle;
  /** The request that joins the room. Null once it has joined. */
  #join: Readonly<Record<string, unknown>> | null;
  #id: number | null = null;
  #mids: Feed['mids'] = {};
  #isUp = false;
  #isEnded = false;

  private constructor(handle: JanusHandle, join: Readonly<Record<string, unknown>>) {
    this.#handle = handle;
    this.#join = join;
  }

  /** @param changed - called when {@link feed} has changed. */
  static async publisher(place: RoomPlace, changed: () => void): Promise<SenderLink> {
    const join = { request: 'joinandconfigure', ptype: 'publisher', room: place.videoRoom };
    return SenderLink.#open(place, 'videoroom', join, changed);
  }

  static async mixed(place: RoomPlace): Promise<SenderLink> {
    return SenderLink.#open(place, 'audiobridge', { request: 'join', room: place.audioRoom }, () => undefined);
  }

  static async #open(place: RoomPlace, plugin: 'videoroom' | 'audiobridge', join: object, changed: () => void) {
    let link: SenderLink | null = null;
    const handle = await place.attach(plugin, {
      up: () => {
        if (link) link.#isUp = true;
        changed();
      },
      hungUp: () => {
        if (link) link.#isUp = false;
        if (link) link.#isEnded = true;
        changed();
      },
    });
    link = new SenderLink(handle, { ...join });
    return link;
  }

  get feed(): Feed | null {
    return this.#id === null ? null : { id: this.#id, mids: this.#mids, isUp: this.#isUp };
  }

  async negotiate(offer: string): Promise<string> {
    if (this.#isEnded) throw gone();
    const jsep: Jsep = { type: 'offer', sdp: offer };
    const reply = await this.#handle.request(this.#join ?? { request: 'configure' }, jsep);
    const answer = answerIn(reply);
    if (this.#join) {
      this.#join = null;
      this.#id = read(joined, reply).id;
    }
    this.#mids = midsOf(offer);
    return answer;
  }

  watch(): void {}

  settled(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    this.#handle.detach();
  }
}

/**
 * A client that sends video and takes part in a mix. A peer connection of Janus belongs to one plugin, so the answer
 * does not bundle the sections, and the client connects each of them by itself.
 */
export class SplitLink implements Link {
  readonly #parts: Readonly<Record<Kind, SenderLink>>;
  #version = 0;

  private constructor(parts: Readonly<Record<Kind, SenderLink>>) {
    this.#parts = parts;
  }

  static async open(place: RoomPlace, changed: () => void): Promise<SplitLink> {
    const audio = await SenderLink.mixed(place);
    try {
      return new SplitLink({ audio, video: await SenderLink.publisher(place, changed) });
    } catch (error) {
      audio.close();
      throw error;
    }
  }

  get feed(): Feed | null {
    return this.#parts.video.feed;
  }

  async negotiate(offer: string): Promise<string> {
    const answers: Partial<Record<Kind, string>> = {};
    for (const kind of KINDS) {
      const own = offerOf(offer, kind);
      if (own !== null) answers[kind] = await this.#parts[kind].negotiate(own);
    }
    this.#version += 1;
    return joinedAnswer(offer, answers, this.#version);
  }

  watch(): void {}

  settled(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    for (const kind of KINDS) this.#parts[kind].close();
  }
}

/** A stream of a publisher. */
interface Stream {
  readonly feed: number;
  readonly mid: string;
}

/** A viewer. Janus offers, and the client offers: see descriptions.ts. */
export class ViewerLink implements Link {
  readonly feed = null;
  readonly #place: RoomPlace;
  #handle: JanusHandle | null = null;
  /** The last offers of both sides. */
  #offers: { client: string; janus: string } | null = null;
  /** Janus's names of the streams, by kind. */
  #own: Partial<Record<Kind, string>> = {};
  /** What Janus sends at the moment, by kind. */
  #current: Partial<Record<Kind, Stream>> = {};
  #wanted: Feed | null = null;
  #version = 0;
  #isEnded = false;
  /** Settles when every former request has ended. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(place: RoomPlace) {
    this.#place = place;
  }

  static async open(place: RoomPlace): Promise<ViewerLink> {
    const link = new ViewerLink(place);
    link.#handle = await place.attach('videoroom', {
      hungUp: () => {
        link.#isEnded = true;
      },
      offered: ({ sdp }) => link.#unasked(() => link.#accept(sdp)),
    });
    return link;
  }

  negotiate(offer: string): Promise<string> {
    return this.#inTurn(async () => {
      if (this.#isEnded) throw gone();
      checkViewerOffer(offer);
      const former = this.#offers;
      const lacking = KINDS.filter((kind) => midsOf(offer)[kind] !== undefined && this.#own[kind] === undefined);
      const isRestart = former !== null && iceName(former.client) !== iceName(offer);
      let janus = former?.janus;
      if (lacking.length > 0) janus = await this.#subscribe(lacking);
      if (isRestart) janus = offerIn(await this.#request({ request: 'configure', restart: true }));
      if (janus === undefined) throw new JanusError('there is no stream to offer');
      this.#offers = { client: offer, janus };
      if (janus !== former?.janus) await this.#accept(janus);
      // The client may receive another kind than before, or one less.
      this.#unasked(() => this.#switch());
      return answerToViewer(offer, janus, this.#next());
    });
  }

  watch(feed: Feed | null): void {
    this.#wanted = feed;
    this.#unasked(() => this.#switch());
  }

  async settled(): Promise<void> {
    await this.#turn;
  }

  close(): void {
    this.#isEnded = true;
    this.#handle?.detach();
  }

  /** Adds streams, which are those of the dummy at first. Returns Janus's offer. */
  async #subscribe(kinds: readonly Kind[]): Promise<string> {
    const { dummy, videoRoom } = this.#place;
    const streams = kinds.map((kind) => ({ feed: dummy.id, mid: dummy.mids[kind] }));
    const isFirst = this.#offers === null;
    const reply = await this.#request(
      isFirst
        ? { request: 'join', ptype: 'subscriber', room: videoRoom, streams, autoupdate: false }
        : { request: 'update', subscribe: streams },
    );
    const offer = offerIn(reply);
    for (const { type, mid } of read(subscribed, reply).streams) {
      const kind = KINDS.find((one) => one === type && kinds.includes(one));
      if (!kind) continue;
      this.#own[kind] = mid;
      this.#current[kind] = { feed: dummy.id, mid: dummy.mids[kind] };
    }
    return offer;
  }

  /** Answers an offer of Janus. */
  async #accept(janus: string): Promise<void> {
    if (!this.#offers) return;
    this.#offers = { client: this.#offers.client, janus };
    const sdp = answerToJanus(janus, this.#offers.client, this.#next());
    await this.#request({ request: 'start' }, { type: 'answer', sdp });
    await this.#switch();
  }

  /** Makes Janus send what is wanted. The dummy replaces a kind that the client does not receive now. */
  async #switch(): Promise<void> {
    if (this.#isEnded || !this.#offers) return;
    const { dummy } = this.#place;
    const wanted = this.#wanted?.isUp ? this.#wanted : null;
    const received = receivedKinds(this.#offers.client);
    const changes = KINDS.flatMap((kind) => {
      const sub_mid = this.#own[kind];
      if (sub_mid === undefined) return [];
      const mid = received.includes(kind) ? wanted?.mids[kind] : undefined;
      const to: Stream =
        wanted && mid !== undefined ? { feed: wanted.id, mid } : { feed: dummy.id, mid: dummy.mids[kind] };
      const from = this.#current[kind];
      return from?.feed === to.feed && from.mid === to.mid ? [] : [{ kind, sub_mid, ...to }];
    });
    if (changes.length === 0) return;
    const streams = changes.map(({ sub_mid, feed, mid }) => ({ feed, mid, sub_mid }));
    await this.#request({ request: 'switch', streams });
    for (const { kind, feed, mid } of changes) this.#current[kind] = { feed, mid };
  }

  #request(body: Readonly<Record<string, unknown>>, jsep?: Jsep): Promise<JanusReply> {
    if (!this.#handle) throw gone();
    return this.#handle.request(body, jsep);
  }

  #next(): number {
    this.#version += 1;
    return this.#version;
  }

  /** Runs what no client waits for. A failure is reported, unless the viewer ended meanwhile. */
  #unasked(run: () => Promise<void>): void {
    this.#inTurn(run).catch((error: unknown) => {
      if (!this.#isEnded) this.#place.failed('a viewer', error);
    });
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const ran = this.#turn.then(run);
    this.#turn = ran.catch(() => undefined);
    return ran;
  }
}

function offerIn({ jsep }: JanusReply): string {
  if (jsep?.type !== 'offer') throw new JanusError('a reply to a viewer has no offer');
  return jsep.sdp;
}

/**
 * The server's side of ICE (RFC 8445 §2.5, lite): it answers connectivity checks, and the client chooses the path. The
 * server sends no checks, so an offer cannot make it send packets to an address that did not send first.
 */
import { randomBytes } from 'node:crypto';
import { classes, Message, methods, parseMessage } from 'werift';
import { MEDIA_LIMITS } from '../../budgets/media-budgets.ts';
import type { Remote } from './udp-socket.ts';

export interface IceCredentials {
  readonly ufrag: string;
  readonly password: string;
}

/** The time without a check after which the server sends nothing more (RFC 7675 §5.1). Milliseconds. */
const CONSENT_MS = 30_000;

const isSame = (one: Remote | null, other: Remote) =>
  one?.socket === other.socket && one.port === other.port && one.address === other.address;

export class IceLite {
  readonly #send: (packet: Uint8Array, to: Remote) => void;
  readonly #now: () => number;
  #credentials = newCredentials();
  /** The credentials before an ICE restart, valid until the client uses the new ones. */
  #former: IceCredentials | null = null;
  #remotes: Remote[] = [];
  #selected: Remote | null = null;
  #checkedAt = 0;

  constructor(send: (packet: Uint8Array, to: Remote) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  get credentials(): IceCredentials {
    return this.#credentials;
  }

  /** The client's address that the server sends to. Null before the first check, and after the client fell silent. */
  get selected(): Remote | null {
    return this.#now() - this.#checkedAt <= CONSENT_MS ? this.#selected : null;
  }

  /** Begins an ICE restart. Media continues on the former path until the client has chosen another. */
  restart(): void {
    this.#former = this.#credentials;
    this.#credentials = newCredentials();
  }

  /** Returns whether packets from an address may be read: it has passed a check. */
  isKnown(from: Remote): boolean {
    return this.#remotes.some((one) => isSame(one, from));
  }

  /** Answers a connectivity check. Ignores one with wrong credentials. */
  check(packet: Buffer, from: Remote): void {
    const request = parseMessage(packet);
    if (request?.messageClass !== classes.REQUEST || request.messageMethod !== methods.BINDING) return;
    const ufrag = String(request.getAttributeValue('USERNAME')).split(':')[0];
    const used = [this.#credentials, this.#former].find((one) => one?.ufrag === ufrag);
    if (!used) return;
    const key = Buffer.from(used.password);
    if (!parseMessage(packet, key)) return;
    const response = new Message(methods.BINDING, classes.RESPONSE, request.transactionId)
      .setAttribute('XOR-MAPPED-ADDRESS', [from.address, from.port])
      .addMessageIntegrity(key)
      .addFingerprint();
    this.#send(response.bytes, from);
    this.#checkedAt = this.#now();
    this.#remember(from);
    // Late checks of the former path do not move media back.
    if (used === this.#former) return;
    this.#former &&= request.attributesKeys.includes('USE-CANDIDATE') ? null : this.#former;
    if (this.#selected === null || request.attributesKeys.includes('USE-CANDIDATE')) this.#selected = from;
  }

  #remember(from: Remote): void {
    this.#remotes = [from, ...this.#remotes.filter((one) => !isSame(one, from))].slice(0, MEDIA_LIMITS.addresses.most);
  }
}

function newCredentials(): IceCredentials {
  return { ufrag: randomBytes(6).toString('hex'), password: randomBytes(18).toString('hex') };
}

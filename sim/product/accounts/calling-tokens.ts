import { timingSafeEqual } from 'node:crypto';
import type { HmacSha1 } from '../../exchange/ports.ts';

/** The token by which the calling service takes a user's logins: made of a secret, so that it outlives the server. */
export class CallingTokens {
  readonly #secret: string;
  readonly #hmacSha1: HmacSha1;

  constructor(secret: string, hmacSha1: HmacSha1) {
    this.#secret = secret;
    this.#hmacSha1 = hmacSha1;
  }

  of(uId: string): string {
    return this.#hmacSha1(this.#secret, uId).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  }

  isOf(uId: string, token: string): boolean {
    const [given, right] = [Buffer.from(token), Buffer.from(this.of(uId))];
    return given.length === right.length && timingSafeEqual(given, right);
  }
}

/** Serves the portraits of the gallery's users. Outside of the gallery an exchange serves them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { portraitSvg } from '../../../../fixtures/portraits.ts';
import { galleryPeople } from './gallery-people.ts';

/** Answers a request below `/portraits`. Its address is the rest: `/yu-an.svg`. */
export function servePortraits(request: IncomingMessage, response: ServerResponse): void {
  const userId = decodeURIComponent((request.url ?? '').replace(/^\/|\.svg.*$/g, ''));
  const person = galleryPeople(0).find((candidate) => candidate.u_id === userId);
  response.setHeader('content-type', 'image/svg+xml');
  response.end(portraitSvg(userId, person?.gender_type));
}

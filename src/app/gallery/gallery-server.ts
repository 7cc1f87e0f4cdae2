import type { HttpFetch } from '../ports/http-fetch.ts';
import { galleryPeople } from './gallery-people.ts';

export type Answers = 'data' | 'empty' | 'loading' | 'failed';

/** Answers the app's requests as a scene wants them answered. */
export function galleryFetch(answers: Answers, now: number): HttpFetch {
  return (url) => {
    const path = new URL(url).pathname;
    if (path === '/auth/refresh_token') return Promise.resolve(Response.json({}));
    if (answers === 'loading') return new Promise<Response>(() => {});
    if (answers === 'failed') return Promise.resolve(new Response('{}', { status: 500 }));
    const people = answers === 'empty' ? [] : galleryPeople(now);
    return Promise.resolve(Response.json({ users: people }));
  };
}

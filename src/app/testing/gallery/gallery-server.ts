import { http, HttpResponse, getResponse } from 'msw';
import * as v from 'valibot';
import { type EndpointName, PRODUCT_API, endpointOf } from '../../../protocol/product/api.ts';
import { REFUSALS, type RefusalCode } from '../../../protocol/product/refusals.ts';
import type { HttpFetch } from '../../core/ports/ports.ts';
import type { Answers, SceneAnswers, SceneRefusal } from './scene.ts';
import { galleryOptions, gallerySession } from './gallery-profile.ts';
import { galleryPeople } from './gallery-people.ts';
import type { Rules } from '../../../protocol/product/rules.ts';

interface GalleryServer {
  readonly fetch: HttpFetch;
  /** Returns whether a request is still waiting for an answer. Requests that are never answered do not count. */
  isAsked(): boolean;
}

/** Creates a server that answers the app's requests as the scene defines, by the contract's table and schemas. */
export function createGalleryServer(answers: Answers, own: SceneAnswers, now: number): GalleryServer {
  let asked = 0;
  const people = answers === 'empty' ? [] : galleryPeople(now);
  const usual: SceneAnswers = {
    discover: { items: people.filter(({ gender_type }) => gender_type === 'woman'), next: null },
    channels: { items: [], next: null },
    blocks: { items: [], next: null },
    sessions: { sessions: [gallerySession(now)] },
    options: galleryOptions,
    rules: galleryRules,
    demoUsers: { users: people },
  };
  const handlers = namesOf(PRODUCT_API).map((name) => {
    const { method, path } = endpointOf(name);
    const said: unknown = own[name] ?? (answers === 'loading' || answers === 'failed' ? answers : usual[name]);
    return http.all(`*${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, ({ request }) =>
      request.method === method ? answer(name, said) : undefined,
    );
  });
  const refresh = http.get('*/auth/refresh_token', () => HttpResponse.json({ u_id: 'me' }));
  return {
    isAsked: () => asked > 0,
    async fetch(url, init) {
      asked += 1;
      try {
        const response = await getResponse([refresh, ...handlers], new Request(url, init));
        if (response?.headers.has(NEVER) !== true) return response ?? refused('not_found');
      } finally {
        asked -= 1;
      }
      return await new Promise<Response>(() => {});
    },
  };
}

/** The header that marks an answer that never arrives. */
const NEVER = 'x-never';

function answer(name: EndpointName, said: unknown): Response {
  if (said === 'loading') return new HttpResponse(null, { headers: { [NEVER]: 'yes' } });
  if (said === 'failed') return refused('failed');
  if (said === undefined) return refused('not_found');
  if (isRefusal(said)) return refused(said.refused, said.field);
  const read = v.safeParse(endpointOf(name).answer, said);
  if (!read.success)
    throw new Error(`The scene's answer to ${name} does not match the contract: ${v.summarize(read.issues)}`);
  return HttpResponse.json(said as Record<string, unknown>);
}

const refused = (code: RefusalCode, field?: string): Response =>
  HttpResponse.json({ code, message: `The gallery answers ${code}`, field }, { status: REFUSALS[code] });

const isRefusal = (said: unknown): said is SceneRefusal =>
  typeof said === 'object' && said !== null && 'refused' in said;

const namesOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table)[];

/** The rules of a platform that bills calls. */
const galleryRules: Rules = {
  calls: { free_seconds: 10, hold_seconds: 30, grace_seconds: 30 },
  messages: { text: 2, photo: 5, voice: 5, free: 10 },
  shares: { tiers: [{ from: 0, percent: 40 }], tier_days: 30, gift_percent: 50, settle_seconds: 86_400 },
  deposits: { monthly_limit: 20_000, cool_off_seconds: 86_400, first_bonus_percent: 20 },
  bonus: { welcome: 100 },
  price_tiers: { gentle: { voice: 10, video: 20 }, usual: { voice: 20, video: 40 }, premium: { voice: 40, video: 80 } },
  billing: true,
};

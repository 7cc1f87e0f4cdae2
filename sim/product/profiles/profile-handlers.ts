import type { Database } from '../../store/database.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { dayStart } from '../calendar.ts';
import { DAY_MS } from '../rules.ts';
import { OPTIONS } from './options.ts';
import { Profiles } from './profiles.ts';

type Needs = Pick<ProductParts, 'database' | 'clock' | 'announce' | 'media' | 'people' | 'accounts'>;

/** The age up to which the ratings of calls count. Milliseconds. */
const RATED_MS = 30 * DAY_MS;
/** The least number of raters. Fewer would reveal who gave which rating. */
const RATERS = 5;

type Names = 'myProfile' | 'changeProfile' | 'mySettings' | 'changeSettings' | 'today' | 'options';

export function profileHandlers(parts: Needs): Handlers<Names> {
  const { database, clock, announce } = parts;
  const profiles = new Profiles(parts);

  return {
    async myProfile({ me }) {
      const profile = await profiles.of(me.uId);
      // A picture may have been approved since.
      announce({ uId: me.uId, nickname: profile.nickname, profileUrl: profile.profile_url });
      return profile;
    },
    async changeProfile({ me, body }) {
      const profile = await profiles.change(me.uId, body);
      announce({ uId: me.uId, nickname: profile.nickname, profileUrl: profile.profile_url });
      return profile;
    },
    mySettings: ({ me }) => profiles.settings(me.uId),
    changeSettings: ({ me, body }) => profiles.changeSettings(me.uId, body),
    async today({ me }) {
      const since = dayStart(clock.wallTime());
      const calls = await database.db
        .selectFrom('ringback_parts as part')
        .innerJoin('ringback_calls as call', 'call.call_id', 'part.call_id')
        .where('part.user_id', '=', me.uId)
        .where('part.created_at', '>=', since)
        .select(['call.started_at', 'call.duration', 'part.role'])
        .execute();
      const { count } = await database.db
        .selectFrom('ringback_favorites')
        .where('other', '=', me.uId)
        .where('at', '>=', since)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      const held = calls.filter((call) => call.started_at !== null);
      return {
        calls: held.length,
        seconds: Math.round(held.reduce((sum, { duration }) => sum + duration, 0) / 1_000),
        missed: calls.filter((call) => call.started_at === null && call.role === 'dc_callee').length,
        favorites: Number(count),
        rating: await ratingOf(database, me.uId, clock.wallTime() - RATED_MS),
      };
    },
    options: () => OPTIONS,
  };
}

/**
 * Returns the average rating of a user's calls since a time, with equal weight for each rater. Null with too few
 * raters.
 */
async function ratingOf({ db }: Database, uId: string, since: number): Promise<number | null> {
  const raters = await db
    .selectFrom('ringback_parts as part')
    .innerJoin('ringback_call_ratings as rating', 'rating.call_id', 'part.call_id')
    .where('part.user_id', '=', uId)
    .where('part.created_at', '>=', since)
    .where('rating.u_id', '!=', uId)
    .groupBy('rating.u_id')
    .select(({ fn }) => fn.avg('rating.stars').as('average'))
    .execute();
  if (raters.length < RATERS) return null;
  const average = raters.reduce((sum, one) => sum + Number(one.average), 0) / raters.length;
  return Math.round(average * 10) / 10;
}

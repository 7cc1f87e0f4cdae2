import { Allowances } from '../../exchange/budget.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';

/** A profile is nine pictures; a chat is more, but not all at once. Each costs the server tenths of a second. */
const UPLOADS = { burst: 30, perSecond: 0.5 };

export function mediaHandlers({ media, clock }: ProductParts): Handlers<'uploadMedia' | 'deleteMedia'> {
  const uploads = new Allowances(UPLOADS, () => clock.now());
  return {
    async uploadMedia({ me, query, body }) {
      if (!uploads.take(me.uId)) throw new Refusal('too_many', 'Too many files at once.', { retry_after: 2 });
      return media.add(me.uId, query.for, body);
    },
    async deleteMedia({ me, params }) {
      await media.remove(me.uId, params.media_id);
      return {};
    },
  };
}

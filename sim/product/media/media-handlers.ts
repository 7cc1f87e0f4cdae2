import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';

export function mediaHandlers({ media }: Pick<ProductParts, 'media'>): Handlers<'uploadMedia' | 'deleteMedia'> {
  return {
    async uploadMedia({ me, query, body }) {
      return media.add(me.uId, query.for, body);
    },
    async deleteMedia({ me, params }) {
      await media.remove(me.uId, params.media_id);
      return {};
    },
  };
}

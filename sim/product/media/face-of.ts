import { type Expression, sql } from 'kysely';

/** Selects the id of a user's face, the first of their pictures that is approved by now. Null without one. */
export const faceOf = (uId: Expression<string>, now: number) => sql<string | null>`(
  select media.media_id from ringback_profile_photos as photo
  join ringback_media as media on media.media_id = photo.media_id
  where photo.u_id = ${uId} and media.verdict = 'approved' and media.reviewed_at <= ${now}
  order by photo.place limit 1
)`;

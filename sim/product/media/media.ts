import type { Selectable } from 'kysely';
import * as v from 'valibot';
import type { SentFile } from '../../../src/protocol/product/endpoint.ts';
import {
  type Media,
  mediaReason,
  PHOTO_BYTES,
  PHOTO_TYPES,
  VOICE_BYTES,
  type MediaPurpose,
} from '../../../src/protocol/product/media.ts';
import type { Clock, Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';
import { fileKind } from './file-kind.ts';
import { makePicture, PICTURE_TYPE } from './pictures.ts';

/** A simulated review takes this long: long enough to be seen, short enough to be waited for. */
const REVIEW_MS = 20_000;
const MOST_OF_ONE = 1_000;

type MediaRow = Selectable<Tables['ringback_media']>;
export type MediaSize = 'full' | 'small';

export interface MediaContent {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly isPrivate: boolean;
}

interface Outside {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'token'>;
  /** Where the server is reached, without a slash at the end. */
  readonly apiUrl: string;
}

/** Pictures and voice notes that users have uploaded. */
export class MediaLibrary {
  readonly #outside: Outside;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /**
   * Keeps a file. A picture is made anew; a voice note is kept as it came.
   *
   * @throws Refusal `wrong_file` it is not what it says, or cannot be read; `too_large`; `too_many` somebody has as many as one may.
   */
  async add(uId: string, purpose: MediaPurpose, { mediaType, bytes }: SentFile): Promise<Media> {
    const isPhoto = PHOTO_TYPES.some((type) => type === mediaType);
    if (fileKind(bytes) !== mediaType) throw new Refusal('wrong_file', `The file is not ${mediaType}.`);
    const most = isPhoto ? PHOTO_BYTES : VOICE_BYTES;
    if (bytes.length > most) throw new Refusal('too_large', `The file may have ${most} bytes.`);
    const { clock, database, ids } = this.#outside;
    const { count } = await database.db
      .selectFrom('ringback_media')
      .where('u_id', '=', uId)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= MOST_OF_ONE) throw new Refusal('too_many', `One may keep ${MOST_OF_ONE} files.`);

    const picture = isPhoto ? await makePicture(bytes) : null;
    const now = clock.now();
    const row: MediaRow = {
      media_id: ids.token(),
      u_id: uId,
      kind: picture ? 'photo' : 'voice',
      purpose,
      media_type: picture ? PICTURE_TYPE : mediaType,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      verdict: purpose === 'profile' ? (picture?.fault ?? 'approved') : 'approved',
      reviewed_at: purpose === 'profile' ? now + REVIEW_MS : now,
      created_at: now,
    };
    const contents = [
      { media_id: row.media_id, size: 'full', content: picture?.full ?? bytes },
      ...(picture ? [{ media_id: row.media_id, size: 'small', content: picture.small }] : []),
    ];
    await database.db.transaction().execute(async (transaction) => {
      await transaction.insertInto('ringback_media').values(row).execute();
      await transaction.insertInto('ringback_media_contents').values(contents).execute();
    });
    return this.shown(row);
  }

  /** What is known of somebody's own files of these ids, in this order; ids of others' files or of none are left out. */
  async ofOwner(uId: string, ids: readonly string[]): Promise<Media[]> {
    if (ids.length === 0) return [];
    const rows = await this.#outside.database.db
      .selectFrom('ringback_media')
      .where('media_id', 'in', ids)
      .where('u_id', '=', uId)
      .selectAll()
      .execute();
    const byId = new Map(rows.map((row) => [row.media_id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row ? [this.shown(row)] : [];
    });
  }

  /** The address of a file. */
  url(mediaId: string, size: MediaSize = 'full'): string {
    return `${this.#outside.apiUrl}/media/${mediaId}${size === 'small' ? '/small' : ''}`;
  }

  /**
   * A file, for whoever asks: `uId` is null for somebody who has not said who they are.
   *
   * @throws Refusal `not_found` where there is none, or it is not for them: the same for both.
   */
  async content(mediaId: string, size: MediaSize, uId: string | null): Promise<MediaContent> {
    const row = await this.#outside.database.db
      .selectFrom('ringback_media as media')
      .innerJoin('ringback_media_contents as contents', 'contents.media_id', 'media.media_id')
      .where('media.media_id', '=', mediaId)
      .where('contents.size', '=', size)
      .select(['media.u_id', 'media.purpose', 'media.media_type', 'contents.content'])
      .executeTakeFirst();
    const isPrivate = row?.purpose === 'identity';
    if (!row || (isPrivate && row.u_id !== uId)) throw new Refusal('not_found', 'There is no such file.');
    // One of the drivers gives bytes without a view on them.
    return { mediaType: row.media_type, bytes: new Uint8Array(row.content), isPrivate };
  }

  /** @throws Refusal `not_found` for a file of somebody else, as for none. */
  async remove(uId: string, mediaId: string): Promise<void> {
    await this.#outside.database.db.transaction().execute(async (transaction) => {
      const gone = await transaction
        .deleteFrom('ringback_media')
        .where('media_id', '=', mediaId)
        .where('u_id', '=', uId)
        .returning('media_id')
        .execute();
      if (gone.length === 0) throw new Refusal('not_found', 'There is no such file.');
      await transaction.deleteFrom('ringback_media_contents').where('media_id', '=', mediaId).execute();
    });
  }

  /** A file as its owner sees it. */
  shown(row: MediaRow): Media {
    const isReviewed = row.reviewed_at <= this.#outside.clock.now();
    const reason = v.safeParse(mediaReason, row.verdict);
    return {
      media_id: row.media_id,
      kind: row.kind === 'photo' ? 'photo' : 'voice',
      url: this.url(row.media_id),
      small: row.kind === 'photo' ? this.url(row.media_id, 'small') : null,
      width: row.width,
      height: row.height,
      status: !isReviewed ? 'pending' : reason.success ? 'rejected' : 'approved',
      reason: isReviewed && reason.success ? reason.output : null,
    };
  }
}

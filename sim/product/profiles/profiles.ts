import * as v from 'valibot';
import type { Profile, ProfileChange, Settings, settingsChange } from '../../../src/protocol/product/profiles.ts';
import { genderType } from '../../../src/protocol/product/values.ts';
import { holdAccount } from '../accounts/hold-account.ts';
import type { ProductParts } from '../parts.ts';
import { ageAt } from '../calendar.ts';
import { Refusal } from '../refusal.ts';

const texts = v.pipe(v.string(), v.parseJson(), v.array(v.string()));
const ADULT = 18;
const OLDEST = 100;

type Parts = Pick<ProductParts, 'database' | 'clock' | 'media' | 'people' | 'accounts'>;

/** The profile and settings of a signed-in user. */
export class Profiles {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async of(uId: string): Promise<Profile> {
    const { database, clock, media, people } = this.#parts;
    const row = await database.db
      .selectFrom('ringback_profiles as profile')
      .innerJoin('ringback_accounts as account', 'account.u_id', 'profile.u_id')
      .where('profile.u_id', '=', uId)
      .selectAll('profile')
      .select(['account.gender_type', 'account.joined_at'])
      .executeTakeFirstOrThrow();
    const places = await database.db
      .selectFrom('ringback_profile_photos')
      .where('u_id', '=', uId)
      .orderBy('place')
      .select('media_id')
      .execute();
    const photos = await media.ofOwner(
      uId,
      places.map(({ media_id }) => media_id),
    );
    const [voice] = row.voice_intro === null ? [] : await media.ofOwner(uId, [row.voice_intro]);
    const cover = photos.find(({ status }) => status === 'approved')?.media_id ?? null;
    return {
      u_id: uId,
      gender_type: v.parse(genderType, row.gender_type),
      nickname: row.nickname,
      profile_url: people.pictureUrl({ u_id: uId, cover }),
      birthday: row.birthday,
      birthday_locked: row.verified !== 0,
      age: ageAt(row.birthday, clock.wallTime()),
      city: row.city,
      intro: row.intro,
      height: row.height,
      job: row.job,
      languages: v.parse(texts, row.languages),
      tags: v.parse(texts, row.tags),
      photos,
      voice_intro: voice ?? null,
      verified: row.verified !== 0,
      joined_at: row.joined_at,
    };
  }

  /**
   * Changes the profile of the user.
   *
   * @throws Refusal `invalid` for pictures of another user or purpose, or an impossible birthday; `wrong_state` for
   * another birthday than the verified one; `too_young`; `taken` when another user has the nickname; `signed_out` when
   * the account was closed meanwhile.
   */
  async change(
    uId: string,
    { nickname, photos, voice_intro, languages, tags, ...fields }: ProfileChange,
  ): Promise<Profile> {
    const { database, clock, accounts } = this.#parts;
    const before = await this.of(uId);
    const { birthday } = fields;
    if (birthday !== undefined && birthday !== before.birthday) {
      if (before.birthday_locked) {
        throw new Refusal('wrong_state', 'A verified birthday cannot be changed.', { field: 'birthday' });
      }
      const age = ageAt(birthday, clock.wallTime());
      if (!(age < OLDEST)) throw new Refusal('invalid', 'birthday is too long ago.', { field: 'birthday' });
      if (age < ADULT) throw new Refusal('too_young', 'Users must be at least 18.', { field: 'birthday' });
    }
    if (photos) await this.#mustOwn(uId, 'photo', photos, 'photos');
    if (typeof voice_intro === 'string') await this.#mustOwn(uId, 'voice', [voice_intro], 'voice_intro');
    const given = {
      ...fields,
      ...(voice_intro === undefined ? {} : { voice_intro }),
      ...(languages ? { languages: JSON.stringify([...new Set(languages)]) } : {}),
      ...(tags ? { tags: JSON.stringify([...new Set(tags)]) } : {}),
    };
    const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    await database.transact(async (transaction) => {
      await holdAccount(database, transaction, uId);
      const name = nickname === undefined ? {} : await accounts.claimNickname(transaction, uId, nickname);
      if (Object.keys({ ...changed, ...name }).length > 0) {
        await transaction
          .updateTable('ringback_profiles')
          .set({ ...changed, ...name })
          .where('u_id', '=', uId)
          .execute();
      }
      if (!photos) return;
      await transaction.deleteFrom('ringback_profile_photos').where('u_id', '=', uId).execute();
      if (photos.length === 0) return;
      await transaction
        .insertInto('ringback_profile_photos')
        .values(photos.map((media_id, place) => ({ u_id: uId, place, media_id })))
        .execute();
    });
    return this.of(uId);
  }

  async #mustOwn(uId: string, kind: 'photo' | 'voice', ids: readonly string[], field: string): Promise<void> {
    const own = await this.#parts.database.db
      .selectFrom('ringback_media')
      .where('media_id', 'in', ids.length === 0 ? [''] : ids)
      .where('u_id', '=', uId)
      .where('purpose', '=', 'profile')
      .where('kind', '=', kind)
      .select('media_id')
      .execute();
    if (own.length !== ids.length) {
      throw new Refusal('invalid', `${field} must name different files that this user has uploaded for the profile.`, {
        field,
      });
    }
  }

  async settings(uId: string): Promise<Settings> {
    const row = await this.#parts.database.db
      .selectFrom('ringback_profiles')
      .where('u_id', '=', uId)
      .select(['resting', 'accepts_voice', 'accepts_video', 'voice_price', 'price', 'quiet_from', 'quiet_to'])
      .executeTakeFirstOrThrow();
    const { quiet_from: from, quiet_to: to } = row;
    return {
      resting: row.resting !== 0,
      accepts_voice: row.accepts_voice !== 0,
      accepts_video: row.accepts_video !== 0,
      prices: { voice: row.voice_price, video: row.price },
      quiet_hours: from === null || to === null ? null : { from, to },
    };
  }

  async changeSettings(uId: string, change: v.InferOutput<typeof settingsChange>): Promise<Settings> {
    const { prices, quiet_hours: quiet } = change;
    const changed = {
      ...(change.resting === undefined ? {} : { resting: Number(change.resting) }),
      ...(change.accepts_voice === undefined ? {} : { accepts_voice: Number(change.accepts_voice) }),
      ...(change.accepts_video === undefined ? {} : { accepts_video: Number(change.accepts_video) }),
      ...(prices ? { voice_price: prices.voice, price: prices.video } : {}),
      ...(quiet === undefined ? {} : { quiet_from: quiet?.from ?? null, quiet_to: quiet?.to ?? null }),
    };
    if (Object.keys(changed).length > 0) {
      await this.#parts.database.db.updateTable('ringback_profiles').set(changed).where('u_id', '=', uId).execute();
    }
    return this.settings(uId);
  }
}

import * as v from 'valibot';
import { type GenderType, genderType } from '../../../protocol/product/values.ts';
import type { KeyValueStore } from '../ports/key-value-store.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import { storageKeys } from './storage-keys.ts';

/** A user id and a kind of user. Both are null without a user. */
export interface User {
  readonly uId: string | null;
  readonly genderType: GenderType | null;
}

/** The user of the app. Local storage keeps each value that is present. */
export interface UserContext {
  readonly user: ReadableStore<User>;
  update(values: { uId?: string | undefined; genderType?: GenderType | undefined }): void;
  /** Clears both values and removes them from the storage. */
  clear(): void;
  /** Clears both values on this page only. The storage holds those of another user. */
  forget(): void;
}

const NO_USER: User = { uId: null, genderType: null };

/** Creates the user context from the storage. */
export function createUserContext(storage: KeyValueStore): UserContext {
  const user = createStore<User>(storedUser(storage));

  return {
    user,
    update({ uId, genderType: kind }) {
      if (uId) storage.setItem(storageKeys.userId, uId);
      if (kind) storage.setItem(storageKeys.genderType, kind);
      user.update((current) => ({ uId: uId || current.uId, genderType: kind ?? current.genderType }));
    },
    clear() {
      storage.removeItem(storageKeys.userId);
      storage.removeItem(storageKeys.genderType);
      user.set(NO_USER);
    },
    forget: () => user.set(NO_USER),
  };
}

/** Returns the stored user. Each value is null when it is absent or invalid. */
export function storedUser(storage: KeyValueStore): User {
  const kind = v.safeParse(genderType, storage.getItem(storageKeys.genderType));
  return {
    uId: storage.getItem(storageKeys.userId) || null,
    genderType: kind.success ? kind.output : null,
  };
}

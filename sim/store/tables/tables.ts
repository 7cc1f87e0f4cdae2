/** The tables as queries see them. The migrations create them. Times are milliseconds since the epoch. */
import type { AccountTables } from './accounts.ts';
import type { CallTables } from './calls.ts';
import type { ChatTables } from './chat.ts';
import type { MoneyTables } from './money.ts';
import type { PointTables } from './points.ts';
import type { MediaTables } from './media.ts';
import type { PushTables } from './push.ts';
import type { PeopleTables } from './people.ts';
import type { RoomTables } from './rooms.ts';

export interface Tables
  extends
    CallTables,
    AccountTables,
    ChatTables,
    MoneyTables,
    MediaTables,
    PushTables,
    PeopleTables,
    PointTables,
    RoomTables {}

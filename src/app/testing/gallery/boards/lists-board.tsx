import { m } from '../../../core/i18n/generated/messages.js';
import { Ban, Flag, Gift } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { Disclosure } from '../../../../ui/kit/disclosure.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { Menu } from '../../../../ui/kit/menu.tsx';
import { Meter } from '../../../../ui/kit/meter.tsx';
import { MoneyText } from '../../../ui/money/money-text.tsx';
import { Pager } from '../../../ui/data/pager.tsx';
import { ProgressSteps } from '../../../../ui/kit/progress-steps.tsx';
import { StatCard } from '../../../../ui/kit/stat-card.tsx';
import { StatusChip } from '../../../../ui/kit/status-chip.tsx';
import { type Column, Table } from '../../../../ui/kit/table.tsx';
import { Board } from './board.tsx';

const entries = [
  { id: '1', what: '視訊通話', coins: -120, left: 880 },
  { id: '2', what: '儲值', coins: 1000, left: 1000 },
];

const columns: readonly Column<(typeof entries)[number]>[] = [
  { key: 'what', title: '項目', cell: ({ what }) => what },
  {
    key: 'coins',
    title: '金額',
    isFigure: true,
    cell: ({ coins }) => <MoneyText amount={coins} unit="coins" signed />,
  },
  { key: 'left', title: '餘額', isFigure: true, cell: ({ left }) => <MoneyText amount={left} unit="coins" /> },
];

export default function ListsBoard() {
  const [chosen, setChosen] = useState('');
  const [pages, setPages] = useState(1);
  return (
    <Board title="清單與數字">
      <ProgressSteps label="註冊進度" steps={['帳號', '基本資料', '照片']} present={1} doneText={m.step_done()} />
      <dl style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 12, margin: 0 }}>
        <StatCard label="可兌換" value={<MoneyText amount={12_680} unit="points" />} hint="1 點 = NT$1" />
        <StatCard label="今日通話" value="42" />
      </dl>
      <Meter label="下一階" value={640} max={1000} text="640／1,000" />
      <ul>
        <li>
          <ListRow
            start={<Avatar url="/portraits/yu-an.svg" presence="online" />}
            title="予安"
            detail="今晚有空嗎？"
            end={<StatusChip tone="waiting">審核中</StatusChip>}
            to="/nowhere"
          />
        </li>
        <li>
          <ListRow
            start={<Gift aria-hidden="true" />}
            title="花束"
            detail="送給小婷"
            end={<MoneyText amount={-299} unit="coins" signed />}
            onPress={() => setChosen('花束')}
          />
        </li>
      </ul>
      <p>
        <StatusChip tone="good">已完成</StatusChip> <StatusChip tone="bad">已退回</StatusChip>{' '}
        <StatusChip tone="calm">已取消</StatusChip> <MoneyText amount={1490} unit="twd" />
      </p>
      <Table caption="交易紀錄" rows={entries} keyOf={({ id }) => id} columns={columns} />
      <Disclosure title="為什麼要驗證？">驗證後才能兌換點數。</Disclosure>
      <Menu
        label="更多動作"
        items={[
          { key: 'report', text: '檢舉', icon: <Flag aria-hidden="true" />, onChoose: () => setChosen('檢舉') },
          {
            key: 'block',
            text: '封鎖',
            icon: <Ban aria-hidden="true" />,
            isDangerous: true,
            onChoose: () => setChosen('封鎖'),
          },
        ]}
      />
      <p role="status">{chosen}</p>
      <Pager hasMore={pages < 3} busy={false} onMore={() => setPages(pages + 1)} />
    </Board>
  );
}

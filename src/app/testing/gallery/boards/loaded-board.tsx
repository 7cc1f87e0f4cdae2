import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { DataArea } from '../../../ui/data/data-area.tsx';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { useProduct } from '../../../core/hooks/areas.ts';
import { Board } from './board.tsx';

export default function LoadedBoard() {
  return (
    <DataArea>
      <Board title="讀取">
        <People />
      </Board>
    </DataArea>
  );
}

function People() {
  const { product } = useProduct();
  const query = useQuery({ queryKey: ['demoUsers'], queryFn: ({ signal }) => product.ask('demoUsers', {}, signal) });
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton className="" />}
      isEmpty={({ users }) => users.length === 0}
      empty={<StateCard icon={<UsersRound />} title="還沒有人" hint="晚一點再來看看。" />}
    >
      {({ users }) => (
        <ul>
          {users.slice(0, 3).map((person) => (
            <li key={person.u_id}>
              <ListRow title={person.nickname} detail={person.u_id} />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

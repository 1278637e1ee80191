import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMay } from '../../access/use-access.js';
import { counted } from '../../parts/figures.js';
import { Empty, Page } from '../../parts/Page.js';
import { useSelection } from '../queue/use-selection.js';
import { BulkForm } from './BulkForm.js';
import { BulkWork } from './BulkWork.js';

export function BulkPage() {
  const { bulk } = useParams({ strict: false }) as { bulk?: string };
  const chosen = [...useSelection().values()];
  const may = useMay('moderator');
  const go = useNavigate();
  if (bulk !== undefined) {
    return (
      <Page title="Decisions for many">
        <BulkWork key={bulk} bulk={bulk} />
      </Page>
    );
  }
  return (
    <Page
      title={`Decide for ${counted(chosen.length, 'selected item')}`}
      about="Each gets a decision of its own, with this one explanation."
    >
      {chosen.length === 0 || !may ? (
        <Empty title={may ? 'Nothing is selected.' : 'A moderator decides.'}>
          Select rows of <Link to="/queue">the queue</Link> with x, or all with
          the same text, name, key or link.
        </Empty>
      ) : (
        <BulkForm
          chosen={chosen}
          begun={(bulk) =>
            void go({ to: '/bulk/$bulk', params: { bulk }, replace: true })
          }
        />
      )}
    </Page>
  );
}

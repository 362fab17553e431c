import { useId, useState, type ReactNode } from 'react'
import type { MediaTabName } from '#shared/domain/channel-details.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useDelayed } from '../../../lib/time/use-delayed.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { Skeleton } from '../../../ui/View/Skeleton.tsx'
import { PanelHead } from '../PanelHead.tsx'
import { useBackToDetails } from '../use-back.ts'
import { FilesList } from './FilesList.tsx'
import { LinksList } from './LinksList.tsx'
import { MediaGrid } from './MediaGrid.tsx'
import { isNarrowed, type Narrowed } from './narrowed.ts'
import { PollsList } from './PollsList.tsx'
import { MediaFilters } from './MediaFilters.tsx'
import { useMediaTab, type MediaTab } from './use-media-tab.ts'
import styles from '../Info.module.css'

/** Asked for this much before the end comes into view. */
const AHEAD_PX = 500

export type ListProps = { readonly cid: Cid; readonly tab: MediaTab; readonly labelledBy: string }

const LISTS: Readonly<Record<MediaTabName, (props: ListProps) => ReactNode>> = {
  media: MediaGrid,
  files: FilesList,
  links: LinksList,
  polls: PollsList,
}
const SCENES = { media: 'search', files: 'search', links: 'search', polls: 'search' } as const

/** What a channel holds of one kind, newest first; searched by words, also without a connection. */
export function MediaPanel({ cid, name }: { readonly cid: Cid; readonly name: MediaTabName }) {
  const t = useTexts('details')
  const headingId = useId()
  const back = useBackToDetails(cid)
  const [query, setQuery] = useState('')
  const [narrowed, setNarrowed] = useState<Narrowed>({})
  const tab = useMediaTab(cid, name, query.trim(), narrowed)
  const List = LISTS[name]
  const finds: Readonly<Record<MediaTabName, string>> = {
    media: t('shelf.findMedia'),
    files: t('shelf.findFile'),
    links: t('shelf.findLink'),
    polls: t('shelf.findPoll'),
  }
  return (
    <>
      <PanelHead id={headingId} title={t(`rows.${name}`)} back={back} />
      <div className={styles['find']}>
        <FindField label={finds[name]} list="[data-region]" value={query} onChange={setQuery} />
      </div>
      <MediaFilters cid={cid} name={name} narrowed={narrowed} onChange={setNarrowed} />
      <div
        className={styles['body']}
        aria-busy={tab.busy}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < AHEAD_PX) tab.more()
        }}
      >
        <List cid={cid} tab={tab} labelledBy={headingId} />
        <End name={name} tab={tab} query={query.trim()} narrowed={narrowed} onWiden={() => setNarrowed({})} />
      </div>
    </>
  )
}

type EndProps = {
  readonly name: MediaTabName
  readonly tab: MediaTab
  readonly query: string
  readonly narrowed: Narrowed
  readonly onWiden: () => void
}

function End({ name, tab, query, narrowed, onWiden }: EndProps) {
  const t = useTexts('details')
  const common = useTexts('common')
  const errorText = useErrorText()
  const waiting = useDelayed(tab.busy && (tab.messages?.length ?? 0) === 0, 200)
  const none = tab.messages?.length === 0 && !tab.busy
  const again = (
    <Button size="small" onClick={tab.again}>
      {common('tryAgain')}
    </Button>
  )
  if (tab.error !== undefined) {
    return (
      <div className={cx(styles['note'], styles['none'])} role="status">
        <p>{errorText(tab.error)}</p>
        {again}
      </div>
    )
  }
  if (none && isNarrowed(narrowed)) {
    return (
      <div className={cx(styles['note'], styles['none'])} role="status">
        <p>{t('shelf.filter.nothing')}</p>
        {tab.here ? <p>{t('shelf.here')}</p> : null}
        <Button size="small" onClick={onWiden}>
          {t('shelf.filter.clear')}
        </Button>
      </div>
    )
  }
  if (none && tab.here) {
    return (
      <Empty scene={SCENES[name]} title={t('shelf.emptyHere')} action={again}>
        {t('shelf.here')}
      </Empty>
    )
  }
  if (none && query !== '') return <p className={styles['note']}>{t('shelf.nothing', { query })}</p>
  if (none) {
    return (
      <Empty scene={SCENES[name]} title={t(`shelf.empty.${name}`)}>
        {null}
      </Empty>
    )
  }
  if (waiting) {
    return (
      <div className={styles['section']}>
        <Skeleton width="70%" height={14} />
      </div>
    )
  }
  if (tab.here) return <p className={styles['note']}>{t('shelf.here')}</p>
  return tab.busy && tab.messages !== undefined ? <p className={styles['note']}>{t('shelf.more')}</p> : null
}

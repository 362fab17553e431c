import { asCid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/latch.ts'
import { useRoving } from '../../lib/roving.ts'
import { useAppDispatch, useAppSelector, useSettings, useWindow } from '../../store/hooks.ts'
import { selectOpenCid } from '../../store/selectors.ts'
import { dialogOpened } from '../../store/ui.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ChannelRow } from './ChannelRow.tsx'
import { reloadChannels } from './commands.ts'
import { MeBar } from './MeBar.tsx'
import { SearchField } from './SearchField.tsx'
import { SectionHead } from './SectionHead.tsx'
import { selectSections, type Section, type SectionName } from './selectors.ts'
import { SidebarSkeleton } from './SidebarSkeleton.tsx'
import { TopRows, useTopRowIds } from './TopRows.tsx'
import styles from './Sidebar.module.css'

/** The workspace at full width: search, places, conversations by section, and the person. */
export function Sidebar() {
  const t = useTexts('sidebar')
  const window = useWindow('channels')
  const waiting = window === undefined || (window.loading === 'initial' && window.ids.length === 0)
  const showSkeleton = useDelayed(waiting, 150)
  return (
    <nav className={styles['sidebar']} aria-label={t('workspace')} data-region="sidebar" aria-busy={waiting}>
      <SearchField />
      {showSkeleton ? <SidebarSkeleton /> : waiting ? <div className={styles['scroll']} /> : <Conversations />}
      <MeBar />
    </nav>
  )
}

function Conversations() {
  const sections = useAppSelector(selectSections)
  const closed = useSettings().closedSections
  const openCid = useAppSelector(selectOpenCid)
  const topIds = useTopRowIds()
  const failed = useWindow('channels')?.error
  const shown = sections.map((section) => ({ ...section, isClosed: closed.includes(section.name) }))
  const ids = [
    ...topIds,
    ...shown.flatMap((section) => (section.isClosed ? section.cids.filter((cid) => cid === openCid) : section.cids)),
  ]
  const roving = useRoving({ ids, initialId: openCid })
  const { ref, ...listeners } = roving.containerProps
  if (failed !== undefined && sections.length === 0) return <LoadFailed />
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      role="presentation"
      className={styles['scroll']}
      {...listeners}
    >
      <TopRows tabIndexOf={(id) => roving.itemProps(id).tabIndex} />
      {shown.map((section) => (
        <SectionGroup
          key={section.name}
          section={section}
          isClosed={section.isClosed}
          openCid={openCid}
          tabIndexOf={(id) => roving.itemProps(id).tabIndex}
        />
      ))}
      {sections.some((section) => section.name === 'channels') ? null : (
        <SectionGroup section={EMPTY_CHANNELS} isClosed={false} openCid={openCid} tabIndexOf={() => -1} />
      )}
      {sections.some((section) => section.name === 'direct') ? null : (
        <SectionGroup section={EMPTY_DIRECT} isClosed={false} openCid={openCid} tabIndexOf={() => -1} />
      )}
    </div>
  )
}

const EMPTY_CHANNELS: Section = { name: 'channels', cids: [] }
const EMPTY_DIRECT: Section = { name: 'direct', cids: [] }

type GroupProps = {
  readonly section: Section
  readonly isClosed: boolean
  readonly openCid: string | undefined
  readonly tabIndexOf: (id: string) => 0 | -1
}

/** A closed section still shows the open conversation, so that one always sees where one is. */
function SectionGroup({ section, isClosed, openCid, tabIndexOf }: GroupProps) {
  const cids = isClosed ? section.cids.filter((cid) => cid === openCid) : section.cids
  return (
    <section>
      <SectionHead name={section.name} isClosed={isClosed} cids={section.cids}>
        <AddButton name={section.name} />
      </SectionHead>
      <ul>
        {cids.map((cid) => (
          <li key={cid}>
            <ChannelRow cid={asCid(cid)} tabIndex={tabIndexOf(cid)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function AddButton({ name }: { readonly name: SectionName }) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  if (name === 'channels') {
    return (
      <IconButton
        icon="plus"
        size="tiny"
        onApp
        label={t('newChannel')}
        onClick={() => dispatch(dialogOpened({ kind: 'new-channel' }))}
      />
    )
  }
  if (name === 'direct') {
    return (
      <IconButton
        icon="plus"
        size="tiny"
        onApp
        label={t('newMessage')}
        onClick={() => dispatch(dialogOpened({ kind: 'new-direct' }))}
      />
    )
  }
  return null
}

function LoadFailed() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  return (
    <div className={styles['scroll']}>
      <Empty
        scene="offline"
        title={t('failed.title')}
        action={
          <Button variant="primary" onClick={() => void dispatch(reloadChannels(undefined))}>
            {t('failed.again')}
          </Button>
        }
      >
        {t('failed.text')}
      </Empty>
    </div>
  )
}

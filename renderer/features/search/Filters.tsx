import type { HasWhat } from '#shared/rules/search/search-query.ts'
import { useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { selectHasRail } from '../../store/accounts.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { searchChanged, searchWidened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import type { MenuItem } from '../../ui/Menu/Menu.tsx'
import { MenuPill, Pill, PillOn } from '../../ui/Mark/Pill.tsx'
import { Portrait } from '../people/index.ts'
import { placeName, useChipLabel, dayOf, filterOf } from './question.ts'
import { SavedPill } from './saved/Saved.tsx'
import { HAS_ICONS } from './use-suggestions.ts'
import { useSearchState } from './results/use-results.ts'
import styles from './Filters.module.css'

/** Active filters as removable chips, and buttons to add others. */
export function Filters({ onWanted }: { readonly onWanted: (head: 'from:' | 'in:') => void }) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { chips, cid } = useSearchState()
  const today = dayOf(useMinute())
  const kinds = new Set(chips.map((source) => filterOf(source, today)?.kind))
  const isPinned = chips.includes('is:pinned')
  const set = (next: readonly string[]): void => void dispatch(searchChanged({ chips: next }))
  const add = (source: string): void => set([...chips.filter((one) => one !== source), source])
  return (
    <div className={styles['filters']} role="toolbar" aria-label={t('filters')}>
      {cid === undefined ? <ScopePill /> : <HereChip cid={cid} />}
      {chips.map((source, at) => (
        <Chip key={`${source} ${at}`} source={source} onRemove={() => set(chips.filter((_, index) => index !== at))} />
      ))}
      {cid !== undefined || kinds.has('in') ? null : (
        <Pill icon="hash" text={t('pill.in')} onPress={() => onWanted('in:')} />
      )}
      {kinds.has('from') ? null : <Pill icon="user" text={t('pill.from')} onPress={() => onWanted('from:')} />}
      {kinds.has('time') ? null : <DatePill onAdd={(sources) => set([...chips, ...sources])} />}
      <HasPill onAdd={add} />
      {isPinned ? null : <Pill icon="pin" text={t('pill.pinned')} onPress={() => add('is:pinned')} />}
      <span className={styles['grow']} />
      <SavedPill />
      {chips.length === 0 && cid === undefined ? null : (
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            set([])
            dispatch(searchWidened())
          }}
        >
          {t('clearAll')}
        </Button>
      )}
    </div>
  )
}

/** Which accounts are searched, if there are several. */
function ScopePill() {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const hasSeveral = useAppSelector(selectHasRail)
  const { everywhere = false } = useSearchState()
  const items = (): readonly MenuItem[] =>
    [false, true].map((all) => ({
      id: all ? 'all' : 'one',
      label: t(all ? 'scope.all' : 'scope.one'),
      radio: true,
      checked: all === everywhere,
      onSelect: () => void dispatch(searchChanged({ everywhere: all })),
    }))
  return hasSeveral ? <MenuPill icon="grid" text={t(everywhere ? 'scope.all' : 'scope.one')} items={items} /> : null
}

function HereChip({ cid }: { readonly cid: string }) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => placeName(state, cid)).replace(/^#/, '')
  return <On text={t('chip.here', { name })} icon="hash" onRemove={() => dispatch(searchWidened())} />
}

function Chip({ source, onRemove }: { readonly source: string; readonly onRemove: () => void }) {
  const label = useChipLabel()
  const filter = filterOf(source, dayOf(useMinute()))
  return <On {...(filter === undefined ? { text: source } : label(filter))} onRemove={onRemove} />
}

type OnProps = {
  readonly text: string
  readonly icon?: IconName
  readonly userId?: string
  readonly onRemove: () => void
}

function On({ text, icon, userId, onRemove }: OnProps) {
  const t = useTexts('search')
  const sign =
    userId !== undefined ? (
      <Portrait userId={userId} size={18} />
    ) : icon === undefined ? null : (
      <Icon name={icon} size={15} />
    )
  return <PillOn sign={sign} text={text} label={t('chip.remove', { chip: text })} onRemove={onRemove} />
}

function HasPill({ onAdd }: { readonly onAdd: (source: string) => void }) {
  const t = useTexts('search')
  const items = (): readonly MenuItem[] =>
    (Object.keys(HAS_ICONS) as HasWhat[]).map((what) => ({
      id: what,
      label: t(`has.${what}`),
      icon: HAS_ICONS[what],
      onSelect: () => onAdd(`has:${what}`),
    }))
  return <MenuPill icon="paperclip" text={t('pill.has')} items={items} />
}

/** Common periods relative to today; other dates are typed as `on:`, `before:` or `after:`. */
function DatePill({ onAdd }: { readonly onAdd: (sources: readonly string[]) => void }) {
  const t = useTexts('search')
  const items = (): readonly MenuItem[] => [
    { id: 'today', label: t('date.today'), onSelect: () => onAdd(['on:today']) },
    { id: 'yesterday', label: t('date.yesterday'), onSelect: () => onAdd(['on:yesterday']) },
    { id: 'week', label: t('date.week'), onSelect: () => onAdd(['after:7d']) },
    { id: 'month', label: t('date.month'), onSelect: () => onAdd(['after:30d']) },
  ]
  return <MenuPill icon="calendar" text={t('pill.date')} items={items} />
}

import { useEffect, useRef, useState } from 'react'
import { TAB_KINDS } from '#shared/rules/channels/media-tabs.ts'
import type { MediaKind, MediaTabName, MediaFilter } from '#shared/domain/channel-details.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useSession } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { MenuPill, PillOn } from '../../../ui/Mark/Pill.tsx'
import { Portrait, useName } from '../../people/index.ts'
import { PersonFilter } from './PersonFilter.tsx'
import styles from '../Info.module.css'

const KIND_ICONS: Readonly<Record<MediaKind, IconName>> = {
  image: 'image',
  video: 'video',
  audio: 'volume',
  file: 'file',
}

type Props = {
  readonly cid: Cid
  readonly name: MediaTabName
  readonly filters: ActiveFilters
  readonly onChange: (next: ActiveFilters) => void
}

/** The active filters as removable pills, and menus to set the others. */
export function MediaFilters({ cid, name, filters, onChange: onChosen }: Props) {
  const t = useTexts('details')
  const kinds = TAB_KINDS[name]
  const toolbar = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState<{ readonly at: number }>()
  // The pressed button is replaced by another at the same position, which takes the focus.
  useEffect(() => {
    if (pressed !== undefined) buttonsOf(toolbar.current)[pressed.at]?.focus()
  }, [pressed])
  const onChange = (next: ActiveFilters): void => {
    const changed = ORDER.findIndex((one) => next[one] !== filters[one])
    setPressed({ at: kinds.length === 0 && changed > 0 ? 1 : changed })
    onChosen(next)
  }
  return (
    <div ref={toolbar} className={styles['filters']} role="toolbar" aria-label={t('mediaTab.filter.label')}>
      {filters.userId === undefined ? (
        <PersonFilter cid={cid} name={name} onChoose={(userId) => onChange({ ...filters, userId })} />
      ) : (
        <PersonChip userId={filters.userId} onRemove={() => onChange({ ...filters, userId: undefined })} />
      )}
      {kinds.length === 0 ? null : <KindFilter kinds={kinds} filters={filters} onChange={onChange} />}
      {kinds.length === 0 ? null : <SizeFilter filters={filters} onChange={onChange} />}
      <DateFilter filters={filters} onChange={onChange} />
    </div>
  )
}

/** Order of the filters. */
const ORDER = ['userId', 'kind', 'minBytes', 'since'] as const

const buttonsOf = (element: HTMLElement | null): readonly HTMLElement[] => [
  ...(element?.querySelectorAll<HTMLElement>(':scope > button') ?? []),
]

function PersonChip({ userId, onRemove }: { readonly userId: UserId; readonly onRemove: () => void }) {
  const t = useTexts('details')
  const own = useSession().userId === userId
  const name = useName(userId)
  const text = own ? t('mediaTab.filter.me') : name
  return (
    <PillOn
      sign={<Portrait userId={userId} size={18} />}
      text={text}
      label={t('mediaTab.filter.remove', { filter: text })}
      onRemove={onRemove}
    />
  )
}

type FilterProps = Pick<Props, 'filters' | 'onChange'>

function KindFilter({ kinds, filters, onChange }: FilterProps & { readonly kinds: readonly MediaKind[] }) {
  const t = useTexts('details')
  if (filters.kind !== undefined) {
    const text = t(`mediaTab.filter.kinds.${filters.kind}`)
    const label = t('mediaTab.filter.remove', { filter: text })
    return <PillOn text={text} label={label} onRemove={() => onChange({ ...filters, kind: undefined })} />
  }
  return (
    <MenuPill
      icon="filter"
      text={t('mediaTab.filter.kind')}
      items={() =>
        kinds.map((kind) => ({
          id: kind,
          icon: KIND_ICONS[kind],
          label: t(`mediaTab.filter.kinds.${kind}`),
          onSelect: () => onChange({ ...filters, kind }),
        }))
      }
    />
  )
}

function SizeFilter({ filters, onChange }: FilterProps) {
  const t = useTexts('details')
  const formats = useFormats()
  const largerThan = (bytes: number): string => t('mediaTab.filter.larger', { size: formats.bytes(bytes) })
  if (filters.minBytes !== undefined) {
    const text = largerThan(filters.minBytes)
    const label = t('mediaTab.filter.remove', { filter: text })
    return <PillOn text={text} label={label} onRemove={() => onChange({ ...filters, minBytes: undefined })} />
  }
  return (
    <MenuPill
      icon="database"
      text={t('mediaTab.filter.size')}
      items={() =>
        SIZES.map((minBytes) => ({
          id: String(minBytes),
          label: largerThan(minBytes),
          onSelect: () => onChange({ ...filters, minBytes }),
        }))
      }
    />
  )
}

function DateFilter({ filters, onChange }: FilterProps) {
  const t = useTexts('details')
  if (filters.since !== undefined) {
    const text = t(`mediaTab.filter.dates.${filters.since}`)
    return (
      <PillOn
        sign={<Icon name="calendar" size={15} />}
        text={text}
        label={t('mediaTab.filter.remove', { filter: text })}
        onRemove={() => onChange({ ...filters, since: undefined, from: undefined })}
      />
    )
  }
  return (
    <MenuPill
      icon="calendar"
      text={t('mediaTab.filter.date')}
      items={() =>
        SINCE.map((since) => ({
          id: since,
          label: t(`mediaTab.filter.dates.${since}`),
          onSelect: () => onChange({ ...filters, since, from: startOf(since, new Date()) }),
        }))
      }
    />
  )
}

/** Periods offered as a filter; each ends now. */
const SINCE = ['today', 'week', 'month', 'year'] as const
type Since = (typeof SINCE)[number]

/** Bytes. */
const SIZES = [1_000_000, 10_000_000, 100_000_000] as const

/** The filters of a media tab, with the period that `from` was computed from. */
export type ActiveFilters = MediaFilter & { readonly since?: Since }

export const hasFilters = (filters: ActiveFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined)

const DAYS: Readonly<Record<Since, number>> = { today: 0, week: 6, month: 29, year: 364 }

/** Local midnight at the start of a period that includes today. Epoch milliseconds. */
export const startOf = (since: Since, now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[since]).getTime()

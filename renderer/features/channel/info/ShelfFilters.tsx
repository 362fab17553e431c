import { useEffect, useRef, useState } from 'react'
import { SHELF_KINDS } from '#shared/rules/shelves.ts'
import type { ShelfKind, ShelfName } from '#shared/domain/channel-details.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppStore, useSession } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon.tsx'
import type { IconName } from '../../../ui/icon-names.ts'
import type { MenuItem } from '../../../ui/Menu.tsx'
import { MenuPill, PillOn } from '../../../ui/Pill.tsx'
import { Portrait, selectName, useName } from '../../people/index.ts'
import { SINCE, SIZES, startOf, type Narrowed } from './narrowed.ts'
import styles from '../Info.module.css'

const KIND_ICONS: Readonly<Record<ShelfKind, IconName>> = {
  image: 'image',
  video: 'video',
  audio: 'volume',
  file: 'file',
}

type Props = {
  readonly name: ShelfName
  readonly narrowed: Narrowed
  /** Whose things have been on the shelf since it was opened. */
  readonly authors: readonly UserId[]
  readonly onChange: (next: Narrowed) => void
}

/** What the shelf is narrowed to, as chips to take away, and what it may be narrowed to. */
export function ShelfFilters({ name, narrowed, authors, onChange: onChosen }: Props) {
  const t = useTexts('details')
  const formats = useFormats()
  const kinds = SHELF_KINDS[name]
  const off = (label: string): string => t('shelf.filter.remove', { filter: label })
  const chips = { kind: narrowed.kind, minBytes: narrowed.minBytes, since: narrowed.since }
  const labels = {
    kind: chips.kind && t(`shelf.filter.kinds.${chips.kind}`),
    minBytes:
      chips.minBytes === undefined ? undefined : t('shelf.filter.larger', { size: formats.bytes(chips.minBytes) }),
    since: chips.since && t(`shelf.filter.dates.${chips.since}`),
  }
  const toolbar = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState<{ readonly at: number }>()
  // What was pressed makes way for what comes of it: the focus stays in its place.
  useEffect(() => {
    if (pressed !== undefined) buttonsOf(toolbar.current)[pressed.at]?.focus()
  }, [pressed])
  const onChange = (next: Narrowed): void => {
    const changed = ORDER.findIndex((one) => next[one] !== narrowed[one])
    setPressed({ at: kinds.length === 0 && changed > 0 ? 1 : changed })
    onChosen(next)
  }
  const without = (one: keyof Narrowed): void => onChange({ ...narrowed, [one]: undefined })
  return (
    <div ref={toolbar} className={styles['filters']} role="toolbar" aria-label={t('shelf.filter.label')}>
      {narrowed.userId === undefined ? (
        authors.length === 0 ? null : (
          <PersonPill authors={authors} onChoose={(userId) => onChange({ ...narrowed, userId })} />
        )
      ) : (
        <PersonChip userId={narrowed.userId} onRemove={() => without('userId')} />
      )}
      {kinds.length === 0 ? null : labels.kind === undefined ? (
        <MenuPill
          icon="filter"
          words={t('shelf.filter.kind')}
          items={() =>
            kinds.map((kind) => ({
              id: kind,
              icon: KIND_ICONS[kind],
              label: t(`shelf.filter.kinds.${kind}`),
              onSelect: () => onChange({ ...narrowed, kind }),
            }))
          }
        />
      ) : (
        <PillOn words={labels.kind} label={off(labels.kind)} onRemove={() => without('kind')} />
      )}
      {kinds.length === 0 ? null : labels.minBytes === undefined ? (
        <MenuPill
          icon="database"
          words={t('shelf.filter.size')}
          items={() =>
            SIZES.map((minBytes) => ({
              id: String(minBytes),
              label: t('shelf.filter.larger', { size: formats.bytes(minBytes) }),
              onSelect: () => onChange({ ...narrowed, minBytes }),
            }))
          }
        />
      ) : (
        <PillOn words={labels.minBytes} label={off(labels.minBytes)} onRemove={() => without('minBytes')} />
      )}
      {labels.since === undefined ? (
        <MenuPill
          icon="calendar"
          words={t('shelf.filter.date')}
          items={() =>
            SINCE.map((since) => ({
              id: since,
              label: t(`shelf.filter.dates.${since}`),
              onSelect: () => onChange({ ...narrowed, since, from: startOf(since, new Date()) }),
            }))
          }
        />
      ) : (
        <PillOn
          sign={<Icon name="calendar" size={15} />}
          words={labels.since}
          label={off(labels.since)}
          onRemove={() => onChange({ ...narrowed, since: undefined, from: undefined })}
        />
      )}
    </div>
  )
}

/** The order the filters stand in. */
const ORDER = ['userId', 'kind', 'minBytes', 'since'] as const

const buttonsOf = (element: HTMLElement | null): readonly HTMLElement[] => [
  ...(element?.querySelectorAll<HTMLElement>(':scope > button') ?? []),
]

type PersonProps = { readonly authors: readonly UserId[]; readonly onChoose: (userId: UserId) => void }

function PersonPill({ authors, onChoose }: PersonProps) {
  const t = useTexts('details')
  const store = useAppStore()
  const me = useSession().userId
  const items = (): readonly MenuItem[] =>
    authors
      .map((userId) => ({ userId, label: userId === me ? t('shelf.filter.me') : selectName(store.getState(), userId) }))
      .toSorted((a, b) => Number(b.userId === me) - Number(a.userId === me) || a.label.localeCompare(b.label))
      .map(({ userId, label }) => ({
        id: userId,
        label,
        leading: <Portrait userId={userId} size={20} />,
        onSelect: () => onChoose(userId),
      }))
  return <MenuPill icon="user" words={t('shelf.filter.person')} items={items} />
}

function PersonChip({ userId, onRemove }: { readonly userId: UserId; readonly onRemove: () => void }) {
  const t = useTexts('details')
  const own = useSession().userId === userId
  const name = useName(userId)
  const words = own ? t('shelf.filter.me') : name
  return (
    <PillOn
      sign={<Portrait userId={userId} size={18} />}
      words={words}
      label={t('shelf.filter.remove', { filter: words })}
      onRemove={onRemove}
    />
  )
}

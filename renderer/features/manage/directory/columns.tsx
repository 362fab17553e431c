import { useMemo, type ReactNode, useState } from 'react'
import type { DirectoryPerson } from '#shared/domain/manage/directory.ts'
import { fieldText } from '#shared/rules/people/people.ts'
import { isFieldName } from '#shared/lib/field-names.ts'
import { useFormats, useLanguageNames, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useUser } from '../../../store/hooks.ts'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import type { TableColumn } from '../../../ui/Table/Table.tsx'
import { nameFor } from '../../../lib/page/stored.ts'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { Popover } from '../../../ui/Popover/Popover.tsx'
import { Portrait, presenceOf } from '../../people/index.ts'
import { useRoleName } from './commands.ts'
import styles from './Directory.module.css'

/** How many of the columns stay where the window is narrow. */
const STAY_LONG = 2

/** The name, then the chosen columns. */
export function useColumns(chosen: readonly ColumnId[]): readonly TableColumn<DirectoryPerson>[] {
  const t = useTexts('directory')
  // Once for all rows: finding out how languages are called takes longer than rendering a row.
  const languageName = useLanguageNames()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('columns.name'),
        width: 'minmax(190px, 2.2fr)',
        sortable: true,
        render: (person) => <NameCell person={person} />,
      },
      ...chosen.map((id, index): TableColumn<DirectoryPerson> => ({
        id,
        title: isBuiltIn(id) ? t(`columns.${id}`) : fieldIn(id),
        width: 'minmax(84px, 1fr)',
        sortable: SORTABLE.has(id),
        priority: index < STAY_LONG ? 1 : 2,
        render: (person) => <Cell id={id} person={person} languageName={languageName} />,
      })),
    ],
    [t, chosen, languageName],
  )
}

const SORTABLE: ReadonlySet<string> = new Set<BuiltInColumn>(['role', 'last_active', 'language', 'created_at'])

type CellProps = {
  readonly id: ColumnId
  readonly person: DirectoryPerson
  readonly languageName: (code: string) => string
}

function Cell({ id, person, languageName }: CellProps): ReactNode {
  const formats = useFormats()
  const { teams, createdAt, statusText, fields } = person
  switch (id) {
    case 'role':
      return <Role person={person} />
    case 'teams':
      return (
        <span className={styles['tags']}>
          {teams.map((team) => (
            <Tag key={team}>
              <bdi>{team}</bdi>
            </Tag>
          ))}
        </span>
      )
    case 'last_active':
      return <LastActive person={person} />
    case 'language':
      return languageText(person.language, languageName)
    case 'created_at':
      return createdAt === undefined ? '' : formats.shortDate(createdAt)
    case 'status':
      return <bdi>{statusText}</bdi>
    default:
      return <bdi>{fieldText(fields[fieldIn(id)])}</bdi>
  }
}

function Role({ person }: { readonly person: DirectoryPerson }) {
  const roleName = useRoleName()
  // What came by an event is newer.
  const live = useUser(person.id)
  const role = live !== undefined && live.updatedAt >= person.updatedAt ? live.role : person.role
  return role === 'admin' || role === 'moderator' ? (
    <Tag tone="accent">{roleName(role)}</Tag>
  ) : (
    <bdi>{roleName(role)}</bdi>
  )
}

function LastActive({ person }: { readonly person: DirectoryPerson }) {
  const t = useTexts('directory')
  const formats = useFormats()
  const now = useMinute()
  const live = useUser(person.id)
  const at = Math.max(person.lastActiveAt ?? 0, live?.lastActiveAt ?? 0)
  if (live?.online ?? person.online) return t('now')
  return at === 0 ? t('never') : formats.ago(at, now)
}

/** A language in words, or its code where it is none. */
export function Language({ code }: { readonly code: string | undefined }): ReactNode {
  return languageText(code, useLanguageNames())
}

function languageText(code: string | undefined, nameOf: (code: string) => string): string {
  if (code === undefined) return ''
  try {
    return nameOf(code)
  } catch {
    // The server does not check it.
    return code
  }
}

function NameCell({ person }: { readonly person: DirectoryPerson }) {
  const live = useUser(person.id)
  const online = live?.online ?? person.online
  const away = live?.away === true
  return (
    <span className={styles['person']}>
      <Portrait userId={person.id} size={32} presence={presenceOf({ online, away, bot: person.bot })} />
      <span className={styles['names']}>
        <bdi className="ellipsis">{person.name}</bdi>
        <span className={styles['second']}>
          <Problem person={person} />
        </span>
      </span>
    </span>
  )
}

/** The one thing that is wrong; otherwise the id. */
function Problem({ person: { id, banned, deactivatedAt, deletedAt } }: { readonly person: DirectoryPerson }) {
  const t = useTexts('directory')
  const formats = useFormats()
  if (deletedAt !== undefined) return t('deletedOn', { date: formats.shortDate(deletedAt) })
  if (deactivatedAt !== undefined) return t('deactivatedOn', { date: formats.shortDate(deactivatedAt) })
  if (banned) return t('banned')
  return <bdi className="ellipsis">{id}</bdi>
}

type Props = {
  /** The chosen ones first. */
  readonly all: readonly ColumnId[]
  readonly chosen: readonly ColumnId[]
  readonly onChange: (columns: readonly ColumnId[]) => void
}

/** Which columns the directory has, and in which order. */
export function ColumnsMenu({ all, chosen, onChange }: Props) {
  const t = useTexts('directory')
  const [anchor, setAnchor] = useState<Element>()
  const isFull = chosen.length >= MAX_COLUMNS
  const name = (id: ColumnId): string => (isBuiltIn(id) ? t(`columns.${id}`) : fieldIn(id))
  return (
    <>
      <IconButton
        icon="columns"
        size="small"
        label={t('columns.open')}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor((open) => (open === undefined ? currentTarget : undefined))}
      />
      {anchor === undefined ? null : (
        <Popover label={t('columns.open')} anchor={anchor} onClose={() => setAnchor(undefined)}>
          <ul className={styles['columnList']}>
            {all.map((id) => {
              const at = chosen.indexOf(id)
              const isOn = at >= 0
              return (
                <li key={id} className={styles['columnRow']}>
                  <label className={styles['check']}>
                    <input
                      type="checkbox"
                      checked={isOn}
                      disabled={!isOn && isFull}
                      onChange={() => onChange(isOn ? chosen.filter((each) => each !== id) : [...chosen, id])}
                    />
                    <bdi className="ellipsis">{name(id)}</bdi>
                  </label>
                  {isOn ? (
                    <>
                      <IconButton
                        icon="arrow-up"
                        size="tiny"
                        label={t('columns.earlier', { column: name(id) })}
                        disabled={at === 0}
                        onClick={() => onChange(moved(chosen, id, -1))}
                      />
                      <IconButton
                        icon="arrow-down"
                        size="tiny"
                        label={t('columns.later', { column: name(id) })}
                        disabled={at === chosen.length - 1}
                        onClick={() => onChange(moved(chosen, id, 1))}
                      />
                    </>
                  ) : null}
                </li>
              )
            })}
          </ul>
          {isFull ? <p className={styles['hint']}>{t('columns.full', { count: MAX_COLUMNS })}</p> : null}
        </Popover>
      )}
    </>
  )
}

/** Columns beside the name; `field:` and the name of a custom field besides. */
const COLUMNS = ['role', 'teams', 'last_active', 'language', 'created_at', 'status'] as const
type BuiltInColumn = (typeof COLUMNS)[number]
type ColumnId = BuiltInColumn | `field:${string}`

export const DEFAULT_COLUMNS: readonly ColumnId[] = ['role', 'teams', 'last_active', 'language']
/** More do not fit beside the panel. */
const MAX_COLUMNS = 8

const isBuiltIn = (id: ColumnId): id is BuiltInColumn => (COLUMNS as readonly string[]).includes(id)
const fieldIn = (id: ColumnId): string => id.slice('field:'.length)

/** Every column that these people can have: the built-in ones, then their custom fields by name. */
export function columnsOf(people: readonly DirectoryPerson[], chosen: readonly ColumnId[]): readonly ColumnId[] {
  const names = new Set(people.flatMap(({ fields }) => Object.keys(fields)))
  const fields = [...names].toSorted().map((name): ColumnId => `field:${name}`)
  return [...new Set<ColumnId>([...chosen, ...COLUMNS, ...fields])]
}

/** A column one place earlier or later. */
export function moved(columns: readonly ColumnId[], id: ColumnId, by: -1 | 1): readonly ColumnId[] {
  const at = columns.indexOf(id)
  const other = columns[at + by]
  if (at < 0 || other === undefined) return columns
  return columns.map((each, index) => (index === at ? other : index === at + by ? id : each))
}

const KEY = 'parlor.directory.columns'

const isColumn = (id: unknown): id is ColumnId =>
  typeof id === 'string' && (isBuiltIn(id as ColumnId) || (id.startsWith('field:') && isFieldName(id.slice(6))))

/** The columns chosen for a workspace. */
export function storedColumns(storage: Storage, account: string): readonly ColumnId[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(nameFor(KEY, account)) ?? 'null')
    return Array.isArray(stored) ? [...new Set(stored.filter(isColumn))].slice(0, MAX_COLUMNS) : DEFAULT_COLUMNS
  } catch {
    // Blocked or damaged.
    return DEFAULT_COLUMNS
  }
}

export function storeColumns(storage: Storage, account: string, columns: readonly ColumnId[]): void {
  try {
    storage.setItem(nameFor(KEY, account), JSON.stringify(columns))
  } catch (reason) {
    // They stay until the window is closed.
    console.debug('columns not stored', reason)
  }
}

import { useMemo, type ReactNode } from 'react'
import type { DirectoryPerson } from '#shared/domain/manage/directory.ts'
import { fieldText } from '#shared/rules/people/people.ts'
import { useFormats, useLanguage, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useUser } from '../../../store/hooks.ts'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import type { TableColumn } from '../../../ui/Table/Table.tsx'
import { Portrait, presenceOf } from '../../people/index.ts'
import { fieldIn, isBuiltIn, type BuiltInColumn, type ColumnId } from './columns.ts'
import { useRoleName } from './use-roles.ts'
import styles from './Directory.module.css'

/** How many of the columns stay where the window is narrow. */
const STAY_LONG = 2

/** The name, then the chosen columns. */
export function useColumns(chosen: readonly ColumnId[]): readonly TableColumn<DirectoryPerson>[] {
  const t = useTexts('directory')
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
        render: (person) => <Cell id={id} person={person} />,
      })),
    ],
    [t, chosen],
  )
}

const SORTABLE: ReadonlySet<string> = new Set<BuiltInColumn>(['role', 'last_active', 'language', 'created_at'])

type CellProps = { readonly id: ColumnId; readonly person: DirectoryPerson }

function Cell({ id, person }: CellProps): ReactNode {
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
      return <Language code={person.language} />
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
  return at === 0 ? t('never') : formats.relative(at, now)
}

/** A language in words, or its code where it is none. */
export function Language({ code }: { readonly code: string | undefined }): ReactNode {
  const language = useLanguage()
  return useMemo(() => {
    if (code === undefined) return ''
    try {
      return new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code
    } catch {
      // The server does not check it.
      return code
    }
  }, [language, code])
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

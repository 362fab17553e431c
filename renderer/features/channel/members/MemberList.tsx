import { useCallback, useEffect, useMemo, useState } from 'react'
import type { MemberEntry } from '#shared/domain/channel-details.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useVirtualRows } from '../../../lib/page/use-virtual-rows.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import type { GroupName } from './order.ts'
import { MemberRow } from './MemberRow.tsx'
import type { MemberListView } from './use-members.ts'
import styles from '../Info.module.css'

const HEAD_PX = 34
const ROW_PX = 46
/** Number of rows before the end at which the next page is requested. */
const AHEAD = 20

type Line =
  | { readonly kind: 'head'; readonly name: GroupName; readonly count: number }
  | { readonly kind: 'member'; readonly entry: MemberEntry; readonly at: number }

type Props = {
  readonly labelledBy: string
  readonly query: string
  readonly members: MemberListView
  readonly ownerId: string | undefined
  readonly onOpen: (userId: string) => void
  readonly onMenu: (entry: MemberEntry, anchor: Element) => void
  readonly onWithdraw: ((entry: MemberEntry) => void) | undefined
}

/** A virtual list: only the rows in view are mounted, so ten thousand members scroll smoothly. */
export function MemberList({ labelledBy, query, members, ownerId, onOpen, onMenu, onWithdraw }: Props) {
  const t = useTexts('details')
  const { groups = NONE } = members
  const lines = useMemo(() => linesOf(groups), [groups])
  const ids = useMemo(() => groups.flatMap(({ entries }) => entries.map(({ userId }) => userId)), [groups])
  const lineOf = useMemo(
    () => new Map(lines.flatMap((line, at) => (line.kind === 'member' ? [[line.entry.userId as string, at]] : []))),
    [lines],
  )
  const heights = useMemo(() => lines.map(({ kind }) => (kind === 'head' ? HEAD_PX : ROW_PX)), [lines])
  const [focused, setFocused] = useState<string>()
  const mountedIndex = focused === undefined ? undefined : lineOf.get(focused)
  const { attach, total, shown, styleOf, reveal: revealRow } = useVirtualRows({ heights, mountedIndex })
  const reveal = useCallback((id: string) => revealRow(lineOf.get(id) ?? 0), [revealRow, lineOf])
  const { containerProps, itemProps } = useRoving({ ids, pageSize: 8, reveal })
  const { ref, onFocus, onKeyDown } = containerProps
  const lastShown = shown.at(-1) ?? 0
  const { more } = members
  useEffect(() => {
    if (lastShown >= lines.length - AHEAD) more()
  })
  if (members.failed && ids.length === 0) return <Failed members={members} />
  if (ids.length === 0)
    return <p className={styles['note']}>{query === '' || members.loading ? '' : t('members.none', { query })}</p>
  const title: Readonly<Record<GroupName, (count: number) => string>> = {
    staff: (count) => t('members.staff', { count }),
    others: (count) => t('members.others', { count }),
    invited: (count) => t('members.invited', { count }),
  }
  return (
    <div ref={attach} className={styles['body']}>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['virtual']}
        style={{ height: total }}
        aria-labelledby={labelledBy}
        aria-busy={members.loading}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          onFocus(event)
          setFocused(event.target.closest<HTMLElement>('[data-roving-id]')?.dataset['rovingId'])
        }}
      >
        {shown.map((at) => {
          const line = lines[at]
          if (line === undefined) return null
          if (line.kind === 'head') {
            // Counts all members while not all are loaded.
            const rest = line.name === 'others' && query === '' ? members.total - ids.length : 0
            return (
              <li key={line.name} className={styles['groupHead']} style={styleOf(at)}>
                {title[line.name](line.count + Math.max(0, rest))}
              </li>
            )
          }
          return (
            <MemberRow
              key={line.entry.userId}
              entry={line.entry}
              isOwner={line.entry.userId === ownerId}
              rovingProps={itemProps(line.entry.userId)}
              style={styleOf(at)}
              place={{ at: line.at, of: Math.max(ids.length, query === '' ? members.total : 0) }}
              onOpen={onOpen}
              onMenu={onMenu}
              onWithdraw={onWithdraw}
            />
          )
        })}
      </ul>
      {members.failed ? <Failed members={members} /> : null}
      {members.loading && query === '' ? <p className={styles['note']}>{t('members.more')}</p> : null}
    </div>
  )
}

/** The list is incomplete because a page failed to load. */
export function Failed({ members }: { readonly members: MemberListView }) {
  const t = useTexts('details')
  const common = useTexts('common')
  return (
    <div className={styles['note']} role="status">
      <p>{t('members.failed')}</p>
      <Button size="small" onClick={members.again}>
        {common('tryAgain')}
      </Button>
    </div>
  )
}

const NONE: NonNullable<MemberListView['groups']> = []

function linesOf(groups: NonNullable<MemberListView['groups']>): readonly Line[] {
  let at = 0
  return groups.flatMap(({ name, entries }): Line[] => [
    { kind: 'head', name, count: entries.length },
    ...entries.map((entry): Line => {
      at += 1
      return { kind: 'member', entry, at }
    }),
  ])
}

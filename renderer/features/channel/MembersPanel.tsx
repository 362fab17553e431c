import { useEffect, useId, useState } from 'react'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/latch.ts'
import { useRoving } from '../../lib/roving.ts'
import { useAppDispatch, useAppSelector, useMe, useUser } from '../../store/hooks.ts'
import { routeOpened } from '../../store/ui.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { channelTitle, openDirect } from '../channels/index.ts'
import { Portrait, presenceOf } from '../people/index.ts'
import { loadMembers } from './commands.ts'
import { PanelHead } from './PanelHead.tsx'
import styles from './Channel.module.css'

/** Everybody in the channel; a press opens the conversation with that person. */
export function MembersPanel({ cid }: { readonly cid: Cid }) {
  const t = useTexts('channel')
  const headingId = useId()
  const title = useAppSelector((state) => channelTitle(state, cid))
  const ids = useMembers(cid)
  const roving = useRoving({ ids: ids ?? [] })
  const { ref, ...listeners } = roving.containerProps
  const waiting = useDelayed(ids === undefined, 150)
  return (
    <>
      <PanelHead id={headingId} title={t('members.title')} sub={`#${title}`} />
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['panelBody']}
        aria-labelledby={headingId}
        aria-busy={ids === undefined}
        {...listeners}
      >
        {(ids ?? []).map((id) => (
          <li key={id}>
            <Member id={id} rovingProps={roving.itemProps(id)} />
          </li>
        ))}
        {waiting
          ? [120, 150, 96, 132].map((width) => (
              <li key={width} className={styles['skeletonRow']}>
                <Skeleton width={32} height={32} arch />
                <Skeleton width={width} />
              </li>
            ))
          : null}
      </ul>
    </>
  )
}

/** Members in the order of their names, online first; `undefined` until the first answer. */
function useMembers(cid: Cid): readonly UserId[] | undefined {
  const dispatch = useAppDispatch()
  const formats = useFormats()
  const users = useAppSelector((state) => state.entities.users)
  const [answer, setAnswer] = useState<{ cid: Cid; ids: readonly UserId[] }>()
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadMembers({ cid }))
      if (live) setAnswer({ cid, ids: loaded.ok ? loaded.value : [] })
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, cid])
  if (answer?.cid !== cid) return undefined
  const online = (id: UserId): number => (users[id]?.online === true ? 0 : 1)
  return answer.ids.toSorted(
    (a, b) => online(a) - online(b) || formats.compare(users[a]?.name ?? a, users[b]?.name ?? b),
  )
}

type MemberProps = { readonly id: UserId; readonly rovingProps: { tabIndex: 0 | -1; 'data-roving-id': string } }

function Member({ id, rovingProps }: MemberProps) {
  const t = useTexts('channel')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const user = useUser(id)
  const isMe = useMe()?.id === id
  if (user === undefined) return null
  const presence = user.bot ? t('members.app') : user.online ? t('online') : t('offline')
  const words = (
    <>
      <Portrait userId={id} size={32} presence={presenceOf(user)} />
      <span className={styles['personWords']}>
        <span className={styles['personName']}>{user.name}</span>
        <span className={styles['personMore']}>
          {isMe ? ` (${common('you')})` : ''}
          <br />
          {user.statusText ?? presence}
        </span>
      </span>
    </>
  )
  if (isMe) return <div className={styles['person']}>{words}</div>
  const open = async (): Promise<void> => {
    const opened = await dispatch(openDirect({ userIds: [id] }))
    if (opened.ok) dispatch(routeOpened({ view: 'channel', cid: opened.value }))
  }
  return (
    <button
      type="button"
      className={styles['person']}
      aria-label={t('members.message', { name: user.name, presence })}
      {...rovingProps}
      onClick={() => void open()}
    >
      {words}
    </button>
  )
}

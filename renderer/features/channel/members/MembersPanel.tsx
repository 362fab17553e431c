import { useEffect, useId, useRef, useState } from 'react'
import type { MemberEntry } from '#shared/domain/channel-details.ts'
import { asUserId, type Cid } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useDelayed } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useChannel, useConnection } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Menu } from '../../../ui/Menu/Menu.tsx'
import { Skeleton } from '../../../ui/View/Skeleton.tsx'
import { removeMember } from '../commands.ts'
import { PanelHead, useBackToDetails } from '../PanelHead.tsx'
import { Failed, MemberList } from './MemberList.tsx'
import { useMemberMenu } from './use-member-menu.tsx'
import { useMembers } from './use-members.ts'
import styles from '../Channel.module.css'
import info from '../Info.module.css'

/** The members of the channel, searchable by name; a click opens a profile. */
export function MembersPanel({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const headingId = useId()
  const back = useBackToDetails(cid)
  const channel = useChannel(cid)
  const { offline } = useConnection()
  const [query, setQuery] = useState('')
  const [menu, setMenu] = useState<{ readonly entry: MemberEntry; readonly anchor: Element }>()
  const members = useMembers(cid, query)
  const itemsFor = useMemberMenu(cid, members.reload)
  const changing = useAppSelector(({ ui }) => ui.dialog?.kind === 'ban' || ui.dialog?.kind === 'memberRole')
  const { reload } = members
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !changing) reload()
    wasOpen.current = changing
  })
  const waiting = useDelayed(members.groups === undefined, 150)
  const mayChange = channel !== undefined && may(channel, 'update-channel-members')
  const withdraw = async ({ userId }: MemberEntry): Promise<void> => {
    await dispatch(removeMember({ cid, userId }))
    members.reload()
  }
  return (
    <>
      <PanelHead id={headingId} title={t('members.title')} back={back}>
        <IconButton
          icon="user-plus"
          label={t(mayChange ? 'members.add' : 'members.addRefused')}
          aria-disabled={!mayChange || undefined}
          onClick={() => mayChange && dispatch(dialogOpened({ kind: 'channel', what: 'people', cid }))}
        />
      </PanelHead>
      <div className={info['find']}>
        <FindField label={t('members.find')} list="[data-region]" value={query} onChange={setQuery} />
      </div>
      {members.knownOnly ? (
        <p className={info['note']} role="status">
          {t('members.here')}
        </p>
      ) : null}
      {members.groups === undefined && members.failed ? (
        <Failed members={members} />
      ) : members.groups === undefined ? (
        <ul className={styles['panelBody']} aria-labelledby={headingId} aria-busy="true">
          {waiting
            ? [120, 150, 96, 132].map((width) => (
                <li key={width} className={styles['skeletonRow']}>
                  <Skeleton width={32} height={32} arch />
                  <Skeleton width={width} />
                </li>
              ))
            : null}
        </ul>
      ) : (
        <MemberList
          labelledBy={headingId}
          query={query}
          members={members}
          ownerId={members.ownerId}
          onOpen={(userId) => dispatch(dialogOpened({ kind: 'person', userId: asUserId(userId) }))}
          onMenu={(entry, anchor) => setMenu({ entry, anchor })}
          onWithdraw={mayChange && !offline ? (entry) => void withdraw(entry) : undefined}
        />
      )}
      {menu === undefined ? null : (
        <Menu
          label={t('members.actionsFor', { name: itemsFor.nameOf(menu.entry) })}
          items={itemsFor.items(menu.entry, members.ownerId)}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  )
}

import { AccountDialog, RenewDialog } from '../features/accounts/index.ts'
import { HostSuspense } from '../features/connection/index.ts'
import { DeleteFolderDialog, FolderDialog, NewChannelDialog, NewDirectDialog } from '../features/sidebar/index.ts'
import { HistoryDialog } from '../features/drafts/index.ts'
import { ChannelQuestions } from '../features/channel/index.ts'
import { NoticeLog } from '../features/notices/index.ts'
import { DownloadsDialog } from '../features/attachments/downloads/index.ts'
import { LocationDialog } from '../features/locations/index.ts'
import { LevelDialog, WhyNotifiedDialog } from '../features/notifications/index.ts'
import { OpenPollsDialog, PollDialog, PollQuestions } from '../features/polls/index.ts'
import { BanDialog, MuteDialog, PersonDialog, ReportDialog } from '../features/people/profile/index.ts'
import { ReminderDialog } from '../features/reminders/index.ts'
import {
  CreateWorkspaceDialog,
  DeleteDemoDialog,
  DeleteWorkspaceDialog,
  ElsewhereDialog,
  OpenAsDialog,
  SignOutDialog,
} from '../features/session/index.ts'
import { ExportDialog, NetworkDialog, ShortcutSheet } from '../features/settings/index.ts'
import { Switcher, SwitcherWaiting } from '../features/switcher/index.ts'
import { WhyUnreadDialog } from '../features/unread/index.ts'
import { BlockedWindowDialog } from '../features/windows/index.ts'
import { useAppDispatch, useAppSelector } from '../store/hooks.ts'
import { dialogClosed, type Dialog } from '../store/window/ui.ts'
import { Region } from './Region.tsx'
import { useShortcutGroups, useSwitcherActions } from './keys/use-shortcuts.ts'

/** The open dialog, at most one. Each dialog's code is loaded when it is first opened. */
export function DialogHost() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  const dispatch = useAppDispatch()
  if (dialog === undefined) return null
  return (
    <Region where="dialog" resetKey={dialog.kind}>
      <HostSuspense
        onClose={() => void dispatch(dialogClosed())}
        meanwhile={dialog.kind === 'switcher' ? <SwitcherWaiting /> : null}
      >
        <DialogContent dialog={dialog} />
      </HostSuspense>
    </Region>
  )
}

function DialogContent({ dialog }: { readonly dialog: Dialog }) {
  switch (dialog.kind) {
    case 'switcher':
      return <SwitcherWithActions />
    case 'shortcuts':
      return <ShortcutSheetWithGroups />
    case 'new-channel':
      return <NewChannelDialog />
    case 'new-direct':
      return <NewDirectDialog />
    case 'open-as':
      return <OpenAsDialog adding={dialog.adding ?? false} />
    case 'create-workspace':
      return <CreateWorkspaceDialog />
    case 'delete-demo':
      return <DeleteDemoDialog />
    case 'delete-workspace':
      return <DeleteWorkspaceDialog account={dialog.key} />
    case 'sign-out':
      return <SignOutDialog account={dialog.key} />
    case 'account':
      return <AccountDialog account={dialog.key} />
    case 'renew':
      return <RenewDialog account={dialog.key} />
    case 'network':
      return <NetworkDialog />
    case 'downloads':
      return <DownloadsDialog />
    case 'notice-log':
      return <NoticeLog />
    case 'export':
      return <ExportDialog cid={dialog.cid} />
    case 'poll':
      return <PollDialog cid={dialog.cid} from={dialog.from} />
    case 'location':
      return <LocationDialog cid={dialog.cid} from={dialog.from} />
    case 'open-polls':
      return <OpenPollsDialog />
    case 'of-poll':
      return <PollQuestions {...dialog} />
    case 'draft-history':
      return <HistoryDialog of={dialog.of} />
    case 'folder':
      return <FolderDialog id={dialog.id} cid={dialog.cid} />
    case 'delete-folder':
      return <DeleteFolderDialog id={dialog.id} />
    case 'why-unread':
      return <WhyUnreadDialog cid={dialog.cid} parentId={dialog.parentId} />
    case 'why-notified':
      return <WhyNotifiedDialog cid={dialog.cid} messageId={dialog.messageId} />
    case 'elsewhere':
      return <ElsewhereDialog link={dialog.link} />
    case 'notify-level':
      return <LevelDialog cid={dialog.cid} />
    case 'channel':
      return <ChannelQuestions what={dialog.what} cid={dialog.cid} />
    case 'person':
      return <PersonDialog userId={dialog.userId} />
    case 'mute':
      return <MuteDialog target={dialog.target} />
    case 'ban':
      return <BanDialog cid={dialog.cid} userId={dialog.userId} />
    case 'report':
      return <ReportDialog target={dialog.target} />
    case 'reminder':
      return <ReminderDialog messageId={dialog.messageId} />
    case 'blocked-window':
      return <BlockedWindowDialog url={dialog.url} place={dialog.place} />
  }
}

function SwitcherWithActions() {
  return <Switcher actions={useSwitcherActions()} />
}

function ShortcutSheetWithGroups() {
  return <ShortcutSheet groups={useShortcutGroups()} />
}

import type { Cid } from '#shared/lib/brand.ts'
import type { ChannelQuestion } from '../../../store/window/ui.ts'
import { AddPeopleDialog } from './AddPeopleDialog.tsx'
import { ClearDialog, DeleteDialog } from './TypedDialog.tsx'
import { HideDialog } from './HideDialog.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'

/** What is asked before something happens to a channel. */
export function ChannelQuestions({ what, cid }: { readonly what: ChannelQuestion; readonly cid: Cid }) {
  switch (what) {
    case 'leave':
      return <LeaveDialog cid={cid} />
    case 'delete':
      return <DeleteDialog cid={cid} />
    case 'clear':
      return <ClearDialog cid={cid} />
    case 'hide':
      return <HideDialog cid={cid} />
    case 'people':
      return <AddPeopleDialog cid={cid} />
  }
}

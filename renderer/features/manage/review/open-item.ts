import type { ReviewItem } from '#shared/domain/manage/review.ts'
import type { Thunk } from '../../../store/store.ts'
import { dialogOpened, placeOpened } from '../../../store/window/ui.ts'

/** Opens the message in its channel or thread, or the profile of the person. */
export const openItem =
  ({ cid, messageId, parentId, authorId }: Pick<ReviewItem, 'cid' | 'messageId' | 'parentId' | 'authorId'>): Thunk =>
  (dispatch) => {
    if (cid !== undefined && messageId !== undefined) dispatch(placeOpened({ cid, parentId, messageId }))
    else if (authorId !== undefined) dispatch(dialogOpened({ kind: 'person', userId: authorId }))
  }

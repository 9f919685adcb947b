import { Type } from 'typebox'

export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Maximum number of keys on a page; 50 when left out.',
      }),
    ),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before.' })),
  },
  { additionalProperties: false },
)

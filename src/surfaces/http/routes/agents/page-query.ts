import { Type } from '../../../../lib/schema.ts'

export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Maximum number of keys per page. Default: 50.',
      }),
    ),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
  },
  { additionalProperties: false },
)

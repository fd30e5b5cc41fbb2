import { expect, it } from "vitest";
import { addMember, join, makeWorkspace, post } from "../test/rig.ts";

it("hello, snapshot, op, ack and changes go between two people", async () => {
  const place = await makeWorkspace();
  const mara = await addMember(place);
  const one = await join(place.owner, place.general);
  const two = await join(mara, place.general);
  expect(two.first.t).toBe("snapshot");
  one.client.send(post(1, "Hello"));
  const ack = await one.client.next("ack");
  expect(ack.entities).toMatchObject([{ kind: "message", text: "Hello", author: place.owner }]);
  const changes = await two.client.next("changes", ({ entities }) =>
    entities.some((entity) => "text" in entity && entity.text === "Hello"),
  );
  expect(changes.to).toBe(ack.rev);
});

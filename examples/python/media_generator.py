"""Generates a short video, waits for it, and prints a link to the file.

The video is a job: the agent prints each change of its state. The link works for an hour; the file
is stored among your files, and its id gets a new link from files/get.

Cost: 24 cents for four seconds with the model veo-3.1-lite. `max_cost_cents` rejects a higher price
before the work begins.

Install the client first, then run it:

    pip install http://127.0.0.1:4020/sdk/tollgate_client-0.1.0-py3-none-any.whl

    TOLLGATE_URL=http://127.0.0.1:4020 TOLLGATE_KEY=tg_test_… \
        python3 examples/python/media_generator.py "A lighthouse in fog"
"""
import sys

from bill import run_agent

MODEL = "veo-3.1-lite"
SECONDS = 4
MOST_CENTS = 30


def generate(tollgate, bill):
    prompt = sys.argv[1] if len(sys.argv) > 1 else "A lighthouse in fog, seen from the sea"
    job = tollgate.media.generate(
        model=MODEL, prompt=prompt, duration=SECONDS, max_cost_cents=MOST_CENTS
    )
    print(f"Started {job.job_id} for \"{prompt}\"")
    for state in tollgate.watch(job, every_s=5):
        print(f"- {state['status']}")
    data = bill.add(tollgate.wait_for(job))
    video = data["video"]
    print(f"Video of {video['duration']} s ({video['content_type']}): {video['url']}")
    for file in data.get("kept_files") or []:
        print(f"Stored as {file['file_id']}, {file['size']} bytes")


run_agent(generate)

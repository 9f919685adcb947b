"""Builds a searchable index of web pages, stores it as a file, and answers a question from it.

The agent reads pages in chunks and turns each chunk into a vector (an embedding). It uploads the
index with files/upload, downloads it again, and finds the chunks closest to the question.

Cost: 2 cents per page, and fractions of a cent for embeddings and the answer. Storage is free.

Install the client first, then run it:

    pip install http://127.0.0.1:4020/sdk/tollgate_client-0.1.0-py3-none-any.whl

    TOLLGATE_URL=http://127.0.0.1:4020 TOLLGATE_KEY=tg_test_… \
        python3 examples/python/rag_indexer.py "How do I begin?" https://docs.example.com/start
"""
import json
import math
import sys

from bill import run_agent

PAGES = ["https://docs.example.com/start", "https://docs.example.com/limits"]
CHUNK_CHARACTERS = 800


def embed(tollgate, bill, texts):
    params = {"model": "text-embedding-3-small", "input": texts}
    answer = bill.add(tollgate.run("llmnative-b/embeddings", params))
    return [row["embedding"] for row in answer["data"]]


def build_index(tollgate, bill, urls):
    pages = bill.add(tollgate.core.onescrape(urls=urls, chunk_chars=CHUNK_CHARACTERS))["rows"]
    chunks = [
        {"url": page["url"], "heading": chunk["heading"], "text": chunk["text"]}
        for page in pages
        for chunk in page.get("chunks") or []
    ]
    vectors = embed(tollgate, bill, [chunk["text"] for chunk in chunks]) if chunks else []
    return [{**chunk, "vector": vector} for chunk, vector in zip(chunks, vectors)]


def similarity(one, other):
    product = sum(a * b for a, b in zip(one, other))
    return product / (math.hypot(*one) * math.hypot(*other))


def answer_question(tollgate, bill, question, index):
    [wanted] = embed(tollgate, bill, [question])
    best = sorted(index, key=lambda chunk: -similarity(chunk["vector"], wanted))[:3]
    passages = "\n\n".join(chunk["text"] for chunk in best)
    prompt = f"Answer from these passages only.\n\n{passages}\n\nQuestion: {question}"
    messages = [{"role": "user", "content": prompt}]
    answer = bill.add(tollgate.chat.create(messages, model="core/cheap", max_tokens=300))
    return answer["choices"][0]["message"]["content"], best


def index_pages(tollgate, bill):
    question = sys.argv[1] if len(sys.argv) > 1 else "How do I begin?"
    index = build_index(tollgate, bill, sys.argv[2:7] or PAGES)
    if not index:
        print("No page could be read, so there is nothing to index.")
        return
    data = json.dumps(index).encode()
    file = tollgate.files.upload(data, filename="index.json", tags=["rag"])
    print(f"Stored {len(index)} chunks ({file['size']} bytes) as {file['file_id']}")

    stored = json.loads(tollgate.files.download(file["file_id"]))
    answer, best = answer_question(tollgate, bill, question, stored)
    print(f"Question: {question}\nAnswer: {answer}\nFrom:")
    for chunk in best:
        print(f"- {chunk['heading']} {chunk['url']}")


run_agent(index_pages)
